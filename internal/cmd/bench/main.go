// Command bench measures the cost of the provider, and writes the tables of
// internal/performance.md. Every run of a command is paired with equal runs of
// a provider that sends nothing and of terraform_data, one after the other, so
// that the load of the machine cancels out.
//
//	bench -cli terraform -dir bin/bench -note internal/performance.md [-size quick]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// sizes says how much is measured.
type sizes struct {
	// The numbers of characters, prompts of a group, and MiB of an image.
	characters, prompts, uploads []int
	latencies                    []time.Duration
	// applied is the largest number of characters that is also applied: the
	// CLI's own time for an apply grows with its square.
	applied int
	// pairs is how often each pair is measured.
	pairs int
}

var allSizes = map[string]sizes{
	"full": {
		characters: []int{100, 300, 1000, 5000},
		prompts:    []int{10, 100, 500, 2000},
		uploads:    []int{1, 256, 1024},
		latencies:  []time.Duration{0, 50 * time.Millisecond, 200 * time.Millisecond},
		applied:    300,
		pairs:      5,
	},
	"quick": {
		characters: []int{100, 300},
		prompts:    []int{10, 100, 2000},
		uploads:    []int{1, 256},
		latencies:  []time.Duration{0, 50 * time.Millisecond},
		applied:    100,
		pairs:      3,
	},
	"smoke": {
		characters: []int{2},
		prompts:    []int{2},
		uploads:    []int{1},
		latencies:  []time.Duration{0, time.Millisecond},
		applied:    2,
		pairs:      1,
	},
}

func main() {
	if len(os.Args) > 3 && os.Args[1] == usageCommand {
		os.Exit(recordUsage(os.Args[2], os.Args[3], os.Args[4:]))
	}
	var b bench
	size := flag.String("size", "full", "full, quick or smoke")
	note := flag.String("note", filepath.Join("internal", "performance.md"), "`file` whose tables are replaced")
	flag.StringVar(&b.cli, "cli", "terraform", "`path` of a terraform or a tofu")
	flag.StringVar(&b.dir, "dir", filepath.Join("bin", "bench"), "`directory` of the built providers")
	flag.StringVar(&b.micro, "micro", "", "`file` with the output of go test -bench")
	flag.Parse()
	chosen, found := allSizes[*size]
	if !found {
		fmt.Fprintf(os.Stderr, "bench: there is no size %q\n", *size)
		os.Exit(2)
	}
	b.sizes = chosen
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := b.run(ctx, *note)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is a run of this command.
type bench struct {
	sizes           sizes
	cli, dir, micro string

	service *service
	room    string
	// environment is the environment of the CLI.
	environment []string
}

func (b *bench) run(ctx context.Context, note string) (err error) {
	b.dir, err = filepath.Abs(b.dir)
	if err != nil {
		return err
	}
	b.room, err = os.MkdirTemp("", "mediagen-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.room)
	b.service, err = startService(ctx)
	if err != nil {
		return err
	}
	defer b.service.stop()
	if err := b.install(); err != nil {
		return err
	}
	var tables []string
	measures := []func(context.Context) (string, error){b.characters, b.groups, b.latencies, b.uploads, b.allocations}
	for _, measure := range measures {
		table, err := measure(ctx)
		if err != nil {
			return err
		}
		tables = append(tables, table)
		fmt.Println(table)
	}
	return replaceTables(note, tables)
}
