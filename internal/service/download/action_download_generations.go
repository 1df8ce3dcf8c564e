package download

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// downloadModel is the configuration of the action.
type downloadModel struct {
	GenerationIDs map[string]types.String `tfsdk:"generation_ids"`
	Directory     types.String            `tfsdk:"directory"`
	Overwrite     types.Bool              `tfsdk:"overwrite"`
	ContactSheet  types.Bool              `tfsdk:"contact_sheet"`
	Title         types.String            `tfsdk:"title"`
	Timeout       types.String            `tfsdk:"timeout"`

	Groups         []groupModel    `tfsdk:"groups"`
	Trainings      []trainingModel `tfsdk:"trainings"`
	KeepSuperseded types.Bool      `tfsdk:"keep_superseded"`
	Gallery        types.String    `tfsdk:"gallery"`
}

// newDownloadGenerations describes the action that saves results to a
// directory.
func newDownloadGenerations() action.Action {
	return run.ActionType[downloadModel]{
		Name: "download_generations",
		Description: "Downloads the results of generations to a directory.\n\n" +
			"The action costs no credits. If a download fails, so does the action, after the other downloads; what " +
			"it was to save is not deleted in that run. What has ended without results is skipped. It needs " +
			"Terraform 1.14.\n\n" +
			"It refuses files over 1 GiB, and http, loopback, private and link-local addresses unless `base_url` is " +
			"of the same kind.",
		Attributes: map[string]schema.Attribute{
			"generation_ids": schema.MapAttribute{
				Required:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Ids of the generations by the names of their files: the results of `beach` " +
					"become `beach.png`, `beach-2.png` and so on. Nulls are skipped.",
				Validators: []validator.Map{mapvalidator.ValueStringsAre(framework.ID())},
			},
			"directory": schema.StringAttribute{
				Required: true,
				MarkdownDescription: "Directory to write the files to, relative to the CLI's working directory, and " +
					"created if it is missing. A remote run loses its files when it ends.",
				Validators: []validator.String{framework.NotBlank(), framework.Text(), framework.LocalPath()},
			},
			"overwrite": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to replace files even if others have made or changed them. Defaults to " +
					"`false`: only unchanged files that the action wrote of earlier generations are replaced.",
			},
			"contact_sheet": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether to write an `index.html` that shows all files. Defaults to `true`.",
			},
			"title": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Title of the contact sheet. Defaults to `Generations`.",
				Validators:          []validator.String{framework.NotBlank(), framework.Text()},
			},
			"groups": schema.ListAttribute{
				Optional:    true,
				ElementType: groupType,
				MarkdownDescription: "Groups of the generations, as in `[mediagen_generation_group.portraits]`: what " +
					"the record says of key, options, labels and credits is from them.",
			},
			"trainings": schema.ListAttribute{
				Optional:    true,
				ElementType: trainingType,
				MarkdownDescription: "Trainings of the groups' characters, as in " +
					"`[mediagen_body_lora_training.ada]`. The record names those that had succeeded, and that were " +
					"started before the generation was.",
			},
			"keep_superseded": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to copy files to the directory `superseded` before they are replaced. " +
					"Defaults to `false`.",
			},
			"gallery": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Directory whose `index.html` shows all pictures of it and of those below, by " +
					"group and key, newest first, beside those that they have superseded: `directory`, or one above " +
					"it. In `directory` it takes the contact sheet's place.",
				Validators: []validator.String{framework.NotBlank(), framework.Text(), framework.LocalPath()},
			},
			"timeout": framework.ActionTimeout(
				"How long all downloads may take, as in `10m`. After that, the action fails and keeps the files that " +
					"are complete. Defaults to `30m`.",
			),
		},
		Before: noteRequested,
		Run:    runDownloadGenerations,
	}.New()
}

// noteRequested delays the deletion of generations until they are saved.
func noteRequested(ctx context.Context, data *run.ProviderData, config tfsdk.Config) {
	var ids types.Map
	diags := config.GetAttribute(ctx, path.Root("generation_ids"), &ids)
	if diags.HasError() || ids.IsUnknown() {
		data.Generations.NoteUnnamedDownload()
	}
	for _, element := range ids.Elements() {
		id, _ := element.(types.String)
		switch {
		case id.IsUnknown():
			data.Generations.NoteUnnamedDownload()
		case !id.IsNull():
			data.Generations.NoteDownload(id.ValueString(), run.DownloadFailed)
		}
	}
}
