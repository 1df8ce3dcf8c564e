// Command demo runs an example from end to end: a real CLI applies it to a mock
// service whose jobs take a few seconds, and every step is checked. It takes a
// minute, and fewer than 100 lines. The story from characters shows a plan of
// the smallest example, and applies examples/pipeline; the one from nothing
// applies examples/from-nothing.
//
//	demo -cli terraform -provider-dir bin [-from nothing] [-keep] [-verbose]
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are the command's flags.
type options struct {
	cli, providerDir, examples, from string
	keep, verbose                    bool
	generation, training, dataset    time.Duration
}

func main() {
	var options options
	flag.StringVar(&options.cli, "cli", "terraform", "`path` of a terraform or a tofu")
	flag.StringVar(
		&options.providerDir,
		"provider-dir",
		"bin",
		"`directory` of the built provider and mock service; the pictures go to a directory in it",
	)
	flag.StringVar(&options.examples, "examples", "examples", "`directory` of the examples")
	flag.StringVar(&options.from, "from", "characters", "`what` the service has at first: characters, or nothing")
	flag.BoolVar(&options.keep, "keep", false, "leave the service and the media up at the end")
	flag.BoolVar(&options.verbose, "verbose", false, "show all output of the CLI")
	flag.DurationVar(&options.generation, "generation-time", 5*time.Second, "how long a generation takes")
	flag.DurationVar(&options.training, "training-time", 15*time.Second, "how long a training takes")
	flag.DurationVar(&options.dataset, "dataset-time", 5*time.Second, "how long a dataset takes")
	flag.Parse()

	if err := run(options); err != nil {
		fmt.Fprintf(os.Stderr, "\ndemo: %s\n", err)
		os.Exit(1)
	}
}

// run runs the demo; its error is that of the step that failed.
func run(options options) error {
	tale, known := tales[options.from]
	if !known {
		return fmt.Errorf(
			"there is no story from %q, only from %s",
			options.from,
			strings.Join(slices.Sorted(maps.Keys(tales)), " and "),
		)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	providerDir, err := filepath.Abs(options.providerDir)
	if err != nil {
		return err
	}
	options.providerDir = providerDir
	workspace, err := os.MkdirTemp("", "mediagen-demo-")
	if err != nil {
		return err
	}
	if !options.keep {
		defer os.RemoveAll(workspace)
	}
	service, err := startService(ctx, options, tale.service)
	if err != nil {
		return err
	}
	if !options.keep {
		defer service.stop()
	}
	say(
		"This takes a minute or two. A mock service runs; a generation takes %s, a training %s. Watch it: %s",
		options.generation,
		options.training,
		service.dashboard(),
	)
	terminal, err := newTerminal(options, tale.example, workspace, service)
	if err != nil {
		return err
	}
	story := &story{
		tale:      tale,
		service:   service,
		terminal:  terminal,
		keep:      options.keep,
		directory: filepath.Join(providerDir, "pictures"),
	}
	return story.tell(ctx)
}

func say(format string, values ...any) {
	fmt.Printf("\033[1m==> %s\033[0m\n", fmt.Sprintf(format, values...))
}
