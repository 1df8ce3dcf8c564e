package download

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
)

// downloadTimeout is the default timeout.
const downloadTimeout = 30 * time.Minute

type downloadModel struct {
	GenerationIDs map[string]types.String `tfsdk:"generation_ids"`
	Directory     types.String            `tfsdk:"directory"`
	Overwrite     types.Bool              `tfsdk:"overwrite"`
	ContactSheet  types.Bool              `tfsdk:"contact_sheet"`
	Title         types.String            `tfsdk:"title"`
	Timeout       types.String            `tfsdk:"timeout"`
}

func newDownloadGenerations() action.Action {
	return framework.ActionType[downloadModel]{
		Name: "download_generations",
		Description: "Downloads the results of generations to a directory.\n\n" +
			"Costs no credits. A failed download fails the action after the others. Needs Terraform 1.14.\n\n" +
			"Refused: files over 1 GiB; http, loopback, private and link-local addresses, unless `base_url` is of the same kind.",
		Attributes: map[string]schema.Attribute{
			"generation_ids": schema.MapAttribute{
				Required: true, ElementType: types.StringType,
				MarkdownDescription: "Ids by file name: `beach` becomes `beach.png`, `beach-2.png` and so on. Nulls are skipped.",
				Validators:          []validator.Map{mapvalidator.ValueStringsAre(framework.ID())},
			},
			"directory": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Created if missing; relative to the CLI's working directory. Remote runs lose the files.",
				Validators:          []validator.String{framework.NotBlank(), framework.Text()},
			},
			"overwrite": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Replace files that somebody else has made or changed, too. " +
					"Default `false`: only its own unchanged files of earlier generations.",
			},
			"contact_sheet": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Write an `index.html` of all files; default `true`.",
			},
			"title": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Default `Generations`.",
				Validators:          []validator.String{framework.NotBlank(), framework.Text()},
			},
			"timeout": framework.ActionTimeout("As in `10m`; default `30m`."),
		},
		Run: runDownloadGenerations,
	}.New()
}

func runDownloadGenerations(ctx context.Context, data *framework.Data, input downloadModel, send func(line string)) diag.Diagnostics {
	into, err := media.OpenDirectory(input.Directory.ValueString())
	if err != nil {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("directory"), "Unable to Use Directory",
			"Files cannot be written to the directory: "+framework.Sentence(err.Error())+"\n\nNothing was read or downloaded.")}
	}
	defer into.Close()
	d := newDownload(data, input, into, send)
	d.run(ctx, framework.DurationOr(input.Timeout, downloadTimeout))
	return d.diags
}
