// Command blank is a provider that sends nothing. The time of a plan or an
// apply with it is the part of the CLI and the framework, and the minimum for
// this provider. Its types have the attributes and the identities in this
// provider's schema response, so that a new attribute counts for the minimum.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// benchmarked are the types whose objects the benchmarks use.
var benchmarked = []string{"character", "generation_group"}

func main() {
	ctx := context.Background()
	resources, err := resourcesOfOurs(ctx, benchmarked...)
	if err != nil {
		log.Fatal(err)
	}
	serve := func() provider.Provider { return blank{resources} }
	options := providerserver.ServeOpts{Address: "registry.terraform.io/mediagen/blank"}
	err = providerserver.Serve(ctx, serve, options)
	if err != nil {
		log.Fatal(err)
	}
}

type blank struct{ resources []func() resource.Resource }

func (blank) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "blank"
}

func (blank) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (blank) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (blank) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (b blank) Resources(context.Context) []func() resource.Resource { return b.resources }
