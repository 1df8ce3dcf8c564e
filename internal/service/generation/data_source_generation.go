package generation

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newGenerationDataSource describes the data source of a single generation. It
// sends a request at each read, because addresses of results expire.
func newGenerationDataSource() datasource.DataSource {
	return run.DataSource[api.Generation]{
		Name:   "generation",
		Noun:   "Generation",
		Of:     "id",
		OfNoun: "generation",
		Description: "One generation, read afresh each time, so that result addresses are valid that were signed or " +
			"have moved.\n\n" +
			"Reading it costs no credits.",
		Inputs: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Id of the generation to read. If it is null, as for a rejected prompt, nothing " +
					"is read and every attribute is null or empty.",
				Validators: []validator.String{framework.ID()},
			},
		},
		Fields: []framework.Field[api.Generation]{
			framework.TextField(
				"group_id",
				"Id of the group that the generation belongs to.",
				func(g *api.Generation) *string { return g.GroupID },
			),
			framework.TextField("generation_type", "Type of the generation.",
				func(g *api.Generation) *reply.Text { return g.GenerationType }),
			framework.TextField(
				"status",
				"Status of the generation.",
				func(g *api.Generation) *reply.Text { return g.Status },
			),
			framework.IntegerField(
				"progress",
				"Progress of the generation, usually in percent; the unit is not documented.",
				func(g *api.Generation) *int64 { return g.Progress },
			),
			framework.AddressesField(
				"result_urls",
				"Addresses of the results, empty until there are some. Signed addresses expire and differ at every "+
					"read."+framework.AddressNote,
				func(g *api.Generation) []string { return g.ResultURLs },
			),
			framework.TextField(
				"error",
				"Why the generation failed. Null if it did not.",
				func(g *api.Generation) *reply.Text { return g.Error },
			),
			framework.TextField(
				"created_at",
				"When the generation was submitted, in ISO 8601.",
				func(g *api.Generation) *string { return g.CreatedAt },
			),
			framework.TextField(
				"prompt",
				"Text of the submitted prompt.",
				func(g *api.Generation) *string { return g.Prompt },
			),
			framework.TextField(
				"service",
				"Name of the service that renders the generation.",
				func(g *api.Generation) *reply.Text { return g.Service },
			),
			framework.TextField(
				"performance_metadata",
				"Measurements of the generation, as JSON; its form is not documented.",
				func(g *api.Generation) *string { return g.PerformanceMetadata },
			),
		},
		Read: func(ctx context.Context, data *run.ProviderData, inputs run.Inputs) (*api.Generation, error) {
			return data.Client.Generations.Get(ctx, inputs.Text("id").ValueString())
		},
	}.New()
}
