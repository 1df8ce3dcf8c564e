// Command blank is a provider that sends nothing. The time of a plan or an
// apply with it is the CLI's part, and the minimum for a provider whose types
// have as many attributes.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
)

func main() {
	serve := func() provider.Provider { return blank{} }
	options := providerserver.ServeOpts{Address: "registry.terraform.io/mediagen/blank"}
	err := providerserver.Serve(context.Background(), serve, options)
	if err != nil {
		log.Fatal(err)
	}
}

type blank struct{}

func (blank) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "blank"
}

func (blank) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (blank) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (blank) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (blank) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return character{} },
		func() resource.Resource { return group{} },
	}
}

// identityByID is the identity of a type that is imported by its id.
func identityByID() identityschema.Schema {
	return identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{"id": identityschema.StringAttribute{RequiredForImport: true}},
	}
}
