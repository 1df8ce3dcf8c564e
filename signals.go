package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// outliveTermination lets the CLI end the provider. A SIGTERM often goes to the
// whole process group, for instance from timeout(1). If it ended the provider,
// the CLI would not learn what a paid request in flight has bought.
func outliveTermination() {
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		time.Sleep(10 * time.Second) // for a provider without a CLI
		os.Exit(1)
	}()
}
