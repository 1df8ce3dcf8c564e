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
		Description: "Downloads the results of generations to a directory, with a page that shows them. Reads each generation first, with one request, for a fresh address. " +
			"Files appear under their names only when they are complete. A failure does not stop the other downloads; the action then fails and names what is missing. Costs no credits. Terraform 1.14 or later.\n\n" +
			"Addresses must be https (http only if `base_url` is on loopback). They are requested without credentials. Loopback, private and link-local addresses are refused, also after redirects, unless `base_url` has an address of the same kind. " +
			"Files over 1 GiB are refused.",
		Attributes: map[string]schema.Attribute{
			"generation_ids": schema.MapAttribute{
				Required: true, ElementType: types.StringType,
				MarkdownDescription: "Generations to download, by file name: usually the `generations[*].id` of a `mediagen_generation_group` by their keys. The results of `beach` become `beach.png`, `beach-2.png` and so on, with an extension that fits the content. " +
					"Characters that a file system may refuse become `_`; names that differ only in case, or would be the same file, get a suffix. Nulls, as of prompts that were rejected, are skipped.",
				Validators: []validator.Map{mapvalidator.ValueStringsAre(framework.ID())},
			},
			"directory": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Directory for the files; created if it is missing. A relative path starts at the working directory of the CLI, which `-chdir` changes; `path.module` is the directory of the configuration. Remote runs lose the files.",
				Validators:          []validator.String{framework.NotBlank(), framework.Text()},
			},
			"overwrite": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Download all files, also over files that somebody else has made or changed, and remove what has another extension now. " +
					"Default `false`: of the files that exist, those are replaced that are as this action wrote them, of an earlier generation of that name (a `.mediagen.json` in the directory records which); all others are kept. " +
					"`true` also replaces an `index.html` that this action did not write.",
			},
			"contact_sheet": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Write an `index.html` that shows all files with their names, prompts and ids. It opens from disk and contains no addresses of the service. Default `true`.",
			},
			"title": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Title of the contact sheet. Default `Generations`.",
				Validators:          []validator.String{framework.NotBlank(), framework.Text()},
			},
			"timeout": framework.ActionTimeout("How long the whole download may take, as in `10m`; default `30m`. When it runs out, the action fails and keeps complete files."),
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
