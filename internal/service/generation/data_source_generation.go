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
		Description: "One generation, always read anew: signed result addresses are fresh.",
		Inputs: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Id of the generation. Null, as of a prompt that was rejected or not submitted, means that there is no generation: nothing is read, and everything is null or empty.",
				Validators:          []validator.String{framework.ID()},
			},
		},
		Fields: []framework.Field[api.Generation]{
			framework.TextField("group_id", "Group that it belongs to.", func(g *api.Generation) *string { return g.GroupID }),
			framework.TextField("generation_type", "Kind of generation, as the service calls it.", func(g *api.Generation) *string { return g.GenerationType }),
			framework.TextField("status", "Status in the service's words.", func(g *api.Generation) *string { return g.Status }),
			framework.IntegerField("progress", "Progress as the service reports it; unit not documented, usually percent.", func(g *api.Generation) *int64 { return g.Progress }),
			framework.AddressesField("result_urls", "Addresses of the results."+framework.AddressNote, func(g *api.Generation) []string { return g.ResultURLs }),
			framework.TextField("error", "Why it failed, if it did.", func(g *api.Generation) *string { return g.Error }),
			framework.TextField("created_at", "When it was created, as the service gives it.", func(g *api.Generation) *string { return g.CreatedAt }),
			framework.TextField("prompt", "The prompt that it renders.", func(g *api.Generation) *string { return g.Prompt }),
			framework.TextField("service", "Which service rendered it.", func(g *api.Generation) *string { return g.Service }),
			framework.TextField("performance_metadata", "Free-form measurements of the service, as JSON.",
				func(g *api.Generation) *string { return g.PerformanceMetadata }),
		},
		Read: func(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.Generation, error) {
			return client.Generation(ctx, inputs.Text("id").ValueString())
		},
	}.New()
}
