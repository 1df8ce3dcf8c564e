// Command demo shows a plan of the smallest example, and runs the main one from end
// to end: a real CLI applies examples/pipeline to a mock service whose jobs take a few
// seconds, and every step is checked. It takes a minute, and fewer than 100 lines.
//
//	demo -cli terraform -provider-dir bin [-keep] [-verbose]
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

// options are the command's flags.
type options struct {
	cli, providerDir, examples string
	keep, verbose              bool
	generation, training       time.Duration
}

func main() {
	var options options
	flag.StringVar(&options.cli, "cli", "terraform", "`path` of a terraform or a tofu")
	flag.StringVar(&options.providerDir, "provider-dir", "bin", "`directory` of the built provider and mock service; the pictures go to a directory in it")
	flag.StringVar(&options.examples, "examples", "examples", "`directory` of the examples")
	flag.BoolVar(&options.keep, "keep", false, "leave the service and the media up at the end")
	flag.BoolVar(&options.verbose, "verbose", false, "show all output of the CLI")
	flag.DurationVar(&options.generation, "generation-time", 5*time.Second, "how long a generation takes")
	flag.DurationVar(&options.training, "training-time", 15*time.Second, "how long a training takes")
	flag.Parse()

	if err := run(options); err != nil {
		fmt.Fprintf(os.Stderr, "\ndemo: %s\n", err)
		os.Exit(1)
	}
}

// run runs the demo; its error is that of the step that failed.
func run(options options) error {
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
	service, err := startService(ctx, options)
	if err != nil {
		return err
	}
	if !options.keep {
		defer service.stop()
	}
	say("A mock service runs; a generation takes %s, a training %s. Watch it: %s", options.generation, options.training, service.dashboard())
	terminal, err := newTerminal(options, workspace, service)
	if err != nil {
		return err
	}
	story := &story{service: service, terminal: terminal, keep: options.keep, pictures: filepath.Join(providerDir, "pictures")}
	return story.tell(ctx)
}

func say(format string, values ...any) {
	fmt.Printf("\033[1m==> %s\033[0m\n", fmt.Sprintf(format, values...))
}
