// Command terraform-provider-mediagen serves the mediagen provider.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// version is set by the release build.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "serve for a debugger: print how a CLI reattaches, then wait")
	flag.Parse()
	if !*debug {
		outliveTermination()
	}
	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: "registry.terraform.io/mediagen/mediagen",
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}

// outliveTermination leaves it to the CLI to end the provider. A SIGTERM often
// goes to the whole process group, as that of timeout(1); ended by it, the
// provider could not tell the CLI what a paid request in flight has bought.
func outliveTermination() {
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		time.Sleep(10 * time.Second) // for a provider without a CLI
		os.Exit(1)
	}()
}
