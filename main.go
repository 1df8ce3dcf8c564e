// Command terraform-provider-mediagen serves the mediagen provider.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	// The clients of the clouds, two thirds of the program, register themselves
	// for s3://, gs:// and azblob://. They are imported here and nowhere else,
	// so that tests without a need for them do not link them.
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"

	"github.com/mediagen/terraform-provider-mediagen/internal/bucket"
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
	if err := setSDKLogs(); err != nil {
		log.Fatal(err)
	}
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	serve, finish := provider.Serve(version, provider.Options{
		Interrupts: []os.Signal{os.Interrupt},
		OpenStore:  bucket.Open,
	})
	err := tf6server.Serve("registry.terraform.io/mediagen/mediagen", serve, options...)
	finish()
	if err != nil {
		log.Fatal(err)
	}
}
