package generation

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newGenerationDataSource() datasource.DataSource {
	return framework.DataSource[api.Generation]{
		Name: "generation", Noun: "Generation", Of: "id", OfNoun: "generation",
		Description: "One generation, read anew: signed result addresses are fresh.\n\nCosts no credits.",
		Inputs: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Id of the generation; if null, nothing is read.",
				Validators:          []validator.String{framework.ID()},
			},
		},
		Fields: []framework.Field[api.Generation]{
			framework.TextField("group_id", "Its group.", func(g *api.Generation) *string { return g.GroupID }),
			framework.TextField("generation_type", "In the service's words.", func(g *api.Generation) *string { return g.GenerationType }),
			framework.TextField("status", "In the service's words.", func(g *api.Generation) *string { return g.Status }),
			framework.IntegerField("progress", "Usually percent.", func(g *api.Generation) *int64 { return g.Progress }),
			framework.AddressesField("result_urls", "Addresses of the results."+framework.AddressNote, func(g *api.Generation) []string { return g.ResultURLs }),
			framework.TextField("error", "Why it failed.", func(g *api.Generation) *string { return g.Error }),
			framework.TextField("created_at", "Time of creation.", func(g *api.Generation) *string { return g.CreatedAt }),
			framework.TextField("prompt", "Prompt that it renders.", func(g *api.Generation) *string { return g.Prompt }),
			framework.TextField("service", "What rendered it.", func(g *api.Generation) *string { return g.Service }),
			framework.TextField("performance_metadata", "JSON of any form.",
				func(g *api.Generation) *string { return g.PerformanceMetadata }),
		},
		Read: func(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.Generation, error) {
			return client.Generation(ctx, inputs.Text("id").ValueString())
		},
	}.New()
}
