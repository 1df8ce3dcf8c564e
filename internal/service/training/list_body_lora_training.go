package training

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ list.ListResourceWithConfigure = (*trainingList)(nil)

// trainingList shares type name and identity with the resource.
type trainingList struct{ bodyLoRATraining }

func newTrainingList() list.ListResource { return &trainingList{} }

type trainingListModel struct {
	CharacterID types.String `tfsdk:"character_id"`
}

// timeoutTypes are the types of the resource's timeouts.
var timeoutTypes = map[string]attr.Type{"create": types.StringType, "update": types.StringType, "delete": types.StringType}

func (l *trainingList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The body trainings of a character, running ones first, with one request. Costs no credits.",
		Attributes: map[string]schema.Attribute{
			"character_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Character whose body trainings are listed; `for_each` over the list of characters lists those of all.",
				Validators:          []validator.String{framework.ID()},
			},
		},
	}
}

// List reads the character's training status once.
func (l *trainingList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var config trainingListModel
	diags := req.Config.Get(ctx, &config)
	if diags.HasError() || !l.Data.Ready(&diags) {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = framework.Limited(req.Limit, func(yield func(list.ListResult) bool) {
		status, err := l.Data.Client.TrainingStatus(ctx, config.CharacterID.ValueString())
		if err != nil {
			yield(framework.ListMessage(framework.Failure{
				Verb: "List", Noun: "Body LoRA Trainings", Object: fmt.Sprintf("character %q", config.CharacterID.ValueString()), NotFound: path.Root("character_id"),
			}.Error(err)))
			return
		}
		for _, id := range findNewBodyJobs(status, nil) {
			if !yield(l.listed(ctx, req, config.CharacterID, id, status)) {
				return
			}
		}
	})
}

// listed returns a job as an import would.
func (l *trainingList) listed(ctx context.Context, req list.ListRequest, characterID types.String, id string, status *api.TrainingStatus) list.ListResult {
	t := &training{data: l.Data, model: trainingModel{
		CharacterID: characterID, ID: types.StringValue(id), WaitForCompletion: types.BoolValue(true),
		Triggers: types.MapNull(types.StringType), Timeouts: timeouts.Value{Object: types.ObjectNull(timeoutTypes)},
	}}
	if req.IncludeResource {
		t.refreshFrom(ctx, status)
	}
	name := id
	if job, _ := findJob(status, id); job.Status != nil {
		name = fmt.Sprintf("%s (%s)", id, *job.Status)
	}
	return framework.Listed(ctx, req, t.model.identity(), &t.model, name)
}
