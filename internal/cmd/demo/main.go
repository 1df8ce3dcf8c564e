// Command demo runs the main example from end to end: a real CLI applies
// examples/pipeline to a mock service whose jobs take a few seconds, and every
// step is checked.
//
//	demo -cli terraform -provider-dir bin [-keep]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	cli := flag.String("cli", "terraform", "`path` of a terraform or a tofu")
	providerDir := flag.String("provider-dir", "bin", "`directory` of the built provider and mock service")
	pipeline := flag.String("pipeline", filepath.Join("examples", "pipeline"), "`directory` of the configuration")
	keep := flag.Bool("keep", false, "leave the service and the media up at the end")
	flag.Parse()

	if err := run(*cli, *providerDir, *pipeline, *keep); err != nil {
		fmt.Fprintf(os.Stderr, "\ndemo: %s\n", err)
		os.Exit(1)
	}
}

// run runs the demo; its error is that of the step that failed.
func run(cli, providerDir, pipeline string, keep bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	providerDir, err := filepath.Abs(providerDir)
	if err != nil {
		return err
	}
	workspace, err := os.MkdirTemp("", "mediagen-demo-")
	if err != nil {
		return err
	}
	if !keep {
		defer os.RemoveAll(workspace)
	}
	say("A mock service is started; a generation takes %s, a training %s.", generationTime, trainingTime)
	service, err := startService(ctx, providerDir)
	if err != nil {
		return err
	}
	if !keep {
		defer service.stop()
	}
	terminal, err := newTerminal(cli, providerDir, workspace, pipeline, service)
	if err != nil {
		return err
	}
	return story{service: service, terminal: terminal, keep: keep}.tell(ctx)
}

func say(format string, values ...any) {
	fmt.Printf("\n\033[1m==> %s\033[0m\n", fmt.Sprintf(format, values...))
}
