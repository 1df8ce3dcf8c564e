// Command terraform-provider-mediagen serves the mediagen provider.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// version is set by the release build.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "serve for a debugger: print how a CLI reattaches, then wait")
	flag.Parse()
	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: "registry.terraform.io/mediagen/mediagen",
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
