package generation

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

var _ action.ActionWithConfigure = (*downloadGenerations)(nil)

// downloadTimeout is how long a download takes at most by default.
const downloadTimeout = 30 * time.Minute

type downloadGenerations struct{ framework.Action }

func newDownloadGenerations() action.Action { return &downloadGenerations{} }

type downloadModel struct {
	GenerationIDs map[string]types.String `tfsdk:"generation_ids"`
	Directory     types.String            `tfsdk:"directory"`
	Overwrite     types.Bool              `tfsdk:"overwrite"`
	ContactSheet  types.Bool              `tfsdk:"contact_sheet"`
	Timeout       types.String            `tfsdk:"timeout"`
}

func (a *downloadGenerations) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_download_generations"
}

func (a *downloadGenerations) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Downloads what generations have made into a directory, with a page that shows it. Reads each generation for a fresh address first, at one request each. " +
			"No file is ever there by half; what fails is named at the end, and does not keep the rest from being downloaded. Costs no credits. Terraform 1.14 or later.\n\n" +
			"Addresses must be https (http only if `base_url` is on loopback), are asked without any credential, and may be on loopback, private or link-local addresses only if `base_url` is on one of the same kind; " +
			"the same holds wherever a redirect leads. A file may have 1 GiB.",
		Attributes: map[string]schema.Attribute{
			"generation_ids": schema.MapAttribute{
				Required: true, ElementType: types.StringType,
				MarkdownDescription: "Generations to download, by the names of their files: the `generations[*].id` of a `mediagen_generation_group` by their keys. The results of `beach` become `beach.png`, `beach-2.png` and so on, with the extension of what they are. " +
					"What a file system could refuse is replaced by `_`; names that would be alike get a suffix each. Nulls, as of prompts that were rejected, are skipped.",
				Validators: []validator.Map{mapvalidator.ValueStringsAre(framework.ID())},
			},
			"directory": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Where the files are put, made if it is missing. Relative to where the CLI runs (with `-chdir`, there); `path.module` and `path.root` say more. A remote runner loses it after the run.",
				Validators:          []validator.String{framework.NotBlank(), framework.Text()},
			},
			"overwrite": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Download also what is there. Default `false`: a file of that name is kept, also if its prompt has been changed and bought again since. " +
					"`true` also replaces an `index.html` that this action has not written.",
			},
			"contact_sheet": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Write an `index.html` that shows all the files with their names and prompts, and opens from disk. It holds no addresses. Default `true`.",
			},
			"timeout": schema.StringAttribute{
				Optional: true, MarkdownDescription: "How long the whole download may take, as in `10m`; default `30m`. When it runs out the action fails, and what is there stays.",
				Validators: []validator.String{framework.Duration()},
			},
		},
	}
}

// Invoke downloads.
func (a *downloadGenerations) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var config downloadModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || !a.Data.Ready(&resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(runDownloadGenerations(ctx, a.Data, config, framework.Progress(ctx, resp))...)
}

func runDownloadGenerations(ctx context.Context, data *framework.Data, input downloadModel, send func(line string)) diag.Diagnostics {
	into, err := media.OpenDirectory(input.Directory.ValueString())
	if err != nil {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("directory"), "Unable to Use Directory",
			"Files cannot be written to the directory: "+err.Error()+".\n\nNothing was read or downloaded.")}
	}
	defer into.Close()
	d := newDownload(data, input, into, send)
	d.run(ctx, framework.DurationOr(input.Timeout, downloadTimeout))
	return d.diags
}
