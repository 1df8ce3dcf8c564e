package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newPurchasesDataSource describes the data source of the purchase log.
func newPurchasesDataSource() datasource.DataSource {
	return run.DataSource[purchases.Listed]{
		Name: "purchases",
		Noun: "Purchases",
		Description: "The purchases that a purchase log has: what was spent, and what no state knows.\n\n" +
			"Reading them sends no request. A plan reads the log as it is before the apply.",
		Inputs: map[string]schema.Attribute{
			"path": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "File or bucket to read. Defaults to the provider's `purchase_log`.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
			"open_only": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether only open purchases are listed: those of which something is in no " +
					"known state, and was not ended, as by a deletion. Defaults to `false`.",
			},
			"user": only("user"),
			"host": only("host"),
			"job":  only("job"),
			framework.LabelsName: schema.MapAttribute{
				ElementType:         types.StringType,
				Optional:            true,
				MarkdownDescription: "Lists only purchases with these labels.",
				Validators:          []validator.Map{framework.LabelRules{}},
			},
		},
		Fields: purchases.ListedFields,
		Read: func(ctx context.Context, data *run.ProviderData, inputs run.Inputs) (*purchases.Listed, error) {
			return data.List(ctx, inputs.Text("path").ValueString(), askedOf(inputs), inputs.Diagnostics), nil
		},
	}.New()
}

// only is an input that purchases have to equal to be listed.
func only(part string) schema.Attribute {
	return schema.StringAttribute{
		Optional:            true,
		MarkdownDescription: "Lists only this " + part + "'s purchases.",
		Validators:          []validator.String{framework.Text(), framework.NotBlank()},
	}
}

// askedOf returns which purchases the inputs ask for.
func askedOf(inputs run.Inputs) purchases.Asked {
	openOnly := inputs.Flag("open_only")
	return purchases.Asked{
		OpenOnly: openOnly != nil && *openOnly,
		By: purchases.Author{
			User: inputs.Text("user").ValueString(),
			Host: inputs.Text("host").ValueString(),
			Job:  inputs.Text("job").ValueString(),
		},
		Labels: inputs.Texts(framework.LabelsName),
	}
}
