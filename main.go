// Command terraform-provider-mediagen serves the mediagen provider.
package main

import (
	"cmp"
	"flag"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

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
	for _, variable := range sdkLogs {
		if err := os.Setenv(variable, sdkLogLevel(variable, os.Getenv)); err != nil {
			log.Fatal(err)
		}
	}
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	served := provider.Serve(version, provider.Options{Interrupts: []os.Signal{os.Interrupt}})
	if err := tf6server.Serve("registry.terraform.io/mediagen/mediagen", served, options...); err != nil {
		log.Fatal(err)
	}
}

// outliveTermination lets the CLI end the provider. A SIGTERM often goes to the
// whole process group, as from timeout(1). If it ended the provider, the CLI
// would not learn what a paid request in flight has bought.
func outliveTermination() {
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		time.Sleep(10 * time.Second) // for a provider without a CLI
		os.Exit(1)
	}()
}

// sdkLogs are the variables that set the levels of the plugin SDK's logs and of
// the framework's.
var sdkLogs = []string{"TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK"}

// sdkLogLevel is the level of one of the sdkLogs: if none was set for it, that
// of the log that the CLI shows. The framework writes several lines for each
// attribute of each object, each slower than the one before, even if nobody
// reads them. That took most of the CPU of a plan: 44 of 49 seconds for a group
// of 2,000 prompts.
func sdkLogLevel(variable string, environment func(name string) string) string {
	return cmp.Or(
		environment(variable),
		environment("TF_LOG_SDK"),
		environment("TF_LOG_PROVIDER"),
		environment("TF_LOG"),
		"OFF",
	)
}
