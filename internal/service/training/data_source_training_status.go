package training

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ datasource.DataSourceWithConfigure = (*trainingStatus)(nil)

type trainingStatus struct{ framework.DataSource }

func newTrainingStatusDataSource() datasource.DataSource { return &trainingStatus{} }

func (d *trainingStatus) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_training_status"
}

func (d *trainingStatus) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"character_id": schema.StringAttribute{
			Required: true, MarkdownDescription: "Id of the character.", Validators: []validator.String{framework.ID()},
		},
		"face_lora_status": schema.StringAttribute{Computed: true, MarkdownDescription: "Status of the face LoRA; its values are not documented."},
		"body_lora_status": schema.StringAttribute{Computed: true, MarkdownDescription: "Status of the body LoRA; its values are not documented."},
		"face_training": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "Current training of the face LoRA, null if there is none.", Attributes: jobAttributes(),
		},
		"character_training": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "Current training of the body LoRA, null if there is none.", Attributes: jobAttributes(),
		},
		"face_training_history": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "Former trainings of the face LoRA, in the service's order.",
			NestedObject: schema.NestedAttributeObject{Attributes: jobAttributes()},
		},
		"character_training_history": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "Former trainings of the body LoRA, in the service's order.",
			NestedObject: schema.NestedAttributeObject{Attributes: jobAttributes()},
		},
	}
	for name, text := range map[string]string{
		"can_start_face_training": "Whether a training of the face LoRA can start now.",
		"can_start_body_training": "Whether a training of the body LoRA can start now.",
		"training_complete":       "Whether the trainings are complete.",
		"has_active_training":     "Whether a training runs.",
	} {
		attributes[name] = schema.BoolAttribute{Computed: true, MarkdownDescription: text}
	}
	for name, text := range map[string]string{
		"face_image_count":        "Number of face images.",
		"body_image_count":        "Number of body images.",
		"failed_face_image_count": "Number of face images that failed.",
		"failed_body_image_count": "Number of body images that failed.",
	} {
		attributes[name] = schema.Int64Attribute{Computed: true, MarkdownDescription: text}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The trainings of a character: which run, which have ended, and whether one can start. Costs no credits.",
		Attributes:          attributes,
	}
}

// jobAttributes are the attributes of a training job.
func jobAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"job_id":         schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the job."},
		"character_id":   schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the character."},
		"training_speed": schema.Float64Attribute{Computed: true, MarkdownDescription: computedNumbers["training_speed"]},
	}
	for _, name := range []string{"job_type", "status", "training_service_id", "created_at", "updated_at", "training_phase"} {
		attributes[name] = schema.StringAttribute{Computed: true, MarkdownDescription: computedTexts[name]}
	}
	for _, name := range []string{"progress", "eta_minutes"} {
		attributes[name] = schema.Int64Attribute{Computed: true, MarkdownDescription: computedIntegers[name]}
	}
	return attributes
}

type trainingStatusModel struct {
	CharacterID              types.String `tfsdk:"character_id"`
	FaceLoRAStatus           types.String `tfsdk:"face_lora_status"`
	BodyLoRAStatus           types.String `tfsdk:"body_lora_status"`
	FaceTraining             *jobModel    `tfsdk:"face_training"`
	CharacterTraining        *jobModel    `tfsdk:"character_training"`
	FaceTrainingHistory      []jobModel   `tfsdk:"face_training_history"`
	CharacterTrainingHistory []jobModel   `tfsdk:"character_training_history"`
	CanStartFaceTraining     types.Bool   `tfsdk:"can_start_face_training"`
	CanStartBodyTraining     types.Bool   `tfsdk:"can_start_body_training"`
	TrainingComplete         types.Bool   `tfsdk:"training_complete"`
	HasActiveTraining        types.Bool   `tfsdk:"has_active_training"`
	FaceImageCount           types.Int64  `tfsdk:"face_image_count"`
	BodyImageCount           types.Int64  `tfsdk:"body_image_count"`
	FailedFaceImageCount     types.Int64  `tfsdk:"failed_face_image_count"`
	FailedBodyImageCount     types.Int64  `tfsdk:"failed_body_image_count"`
}

type jobModel struct {
	JobID             types.String  `tfsdk:"job_id"`
	CharacterID       types.String  `tfsdk:"character_id"`
	JobType           types.String  `tfsdk:"job_type"`
	Status            types.String  `tfsdk:"status"`
	TrainingServiceID types.String  `tfsdk:"training_service_id"`
	CreatedAt         types.String  `tfsdk:"created_at"`
	UpdatedAt         types.String  `tfsdk:"updated_at"`
	Progress          types.Int64   `tfsdk:"progress"`
	TrainingPhase     types.String  `tfsdk:"training_phase"`
	ETAMinutes        types.Int64   `tfsdk:"eta_minutes"`
	TrainingSpeed     types.Float64 `tfsdk:"training_speed"`
}

// Read always reads the status afresh.
func (d *trainingStatus) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var characterID types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("character_id"), &characterID)...)
	if resp.Diagnostics.HasError() || !d.Data.Ready(&resp.Diagnostics) {
		return
	}
	status, err := d.Data.Client.TrainingStatus(ctx, characterID.ValueString())
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Read", Noun: "Training Status", Object: fmt.Sprintf("character %q", characterID.ValueString()),
			NotFound: path.Root("character_id"),
		}.Error(err))
		return
	}
	model := trainingStatusFromAPI(characterID, status)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func trainingStatusFromAPI(characterID types.String, s *api.TrainingStatus) trainingStatusModel {
	return trainingStatusModel{
		CharacterID:              characterID,
		FaceLoRAStatus:           types.StringPointerValue(s.FaceLoRAStatus),
		BodyLoRAStatus:           types.StringPointerValue(s.BodyLoRAStatus),
		FaceTraining:             currentJob(s.FaceTraining),
		CharacterTraining:        currentJob(s.CharacterTraining),
		FaceTrainingHistory:      history(s.FaceTrainingHistory),
		CharacterTrainingHistory: history(s.CharacterTrainingHistory),
		CanStartFaceTraining:     types.BoolPointerValue(s.CanStartFaceTraining),
		CanStartBodyTraining:     types.BoolPointerValue(s.CanStartBodyTraining),
		TrainingComplete:         types.BoolPointerValue(s.TrainingComplete),
		HasActiveTraining:        types.BoolPointerValue(s.HasActiveTraining),
		FaceImageCount:           types.Int64PointerValue(s.FaceImageCount),
		BodyImageCount:           types.Int64PointerValue(s.BodyImageCount),
		FailedFaceImageCount:     types.Int64PointerValue(s.FailedFaceImageCount),
		FailedBodyImageCount:     types.Int64PointerValue(s.FailedBodyImageCount),
	}
}

func currentJob(job *api.TrainingJob) *jobModel {
	if job == nil {
		return nil
	}
	model := jobFromAPI(job)
	return &model
}

// history is never null: a service may leave an empty one out.
func history(jobs []api.TrainingJob) []jobModel {
	models := make([]jobModel, 0, len(jobs))
	for i := range jobs {
		models = append(models, jobFromAPI(&jobs[i]))
	}
	return models
}

func jobFromAPI(job *api.TrainingJob) jobModel {
	return jobModel{
		JobID:             types.StringPointerValue(job.JobID),
		CharacterID:       types.StringPointerValue(job.CharacterID),
		JobType:           types.StringPointerValue(job.JobType),
		Status:            types.StringPointerValue(job.Status),
		TrainingServiceID: types.StringPointerValue(job.TrainingServiceID),
		CreatedAt:         types.StringPointerValue(job.CreatedAt),
		UpdatedAt:         types.StringPointerValue(job.UpdatedAt),
		Progress:          types.Int64PointerValue(job.Progress),
		TrainingPhase:     types.StringPointerValue(job.TrainingPhase),
		ETAMinutes:        types.Int64PointerValue(job.ETAMinutes),
		TrainingSpeed:     types.Float64PointerValue(job.TrainingSpeed),
	}
}
