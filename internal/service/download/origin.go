package download

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// The origin of files. Facts about a generation that its reply does not contain
// are in the state, and the configuration passes them to the action.

// groupModel is the part of a group that a record needs.
type groupModel struct {
	ID              types.String               `tfsdk:"id"`
	Title           types.String               `tfsdk:"title"`
	CharacterID     types.String               `tfsdk:"character_id"`
	Labels          types.Map                  `tfsdk:"labels"`
	CreditsDeducted types.Float64              `tfsdk:"credits_deducted"`
	Purchases       types.Int64                `tfsdk:"purchases"`
	Prompts         map[string]promptModel     `tfsdk:"prompts"`
	Generations     map[string]generationModel `tfsdk:"generations"`
}

type promptModel struct {
	FaceSwap       types.Bool   `tfsdk:"face_swap"`
	UseFaceLoRA    types.Bool   `tfsdk:"use_face_lora"`
	UseBodyLoRA    types.Bool   `tfsdk:"use_body_lora"`
	SourceImageURL types.String `tfsdk:"source_image_url"`
	Take           types.Int64  `tfsdk:"take"`
}

type generationModel struct {
	ID types.String `tfsdk:"id"`
}

// groupType is the type of a groupModel. If the configuration passes a whole
// group, the CLI drops the other attributes.
var groupType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"id":               types.StringType,
	"title":            types.StringType,
	"character_id":     types.StringType,
	"labels":           types.MapType{ElemType: types.StringType},
	"credits_deducted": types.Float64Type,
	"purchases":        types.Int64Type,
	"prompts": types.MapType{ElemType: types.ObjectType{AttrTypes: map[string]attr.Type{
		"face_swap":        types.BoolType,
		"use_face_lora":    types.BoolType,
		"use_body_lora":    types.BoolType,
		"source_image_url": types.StringType,
		"take":             types.Int64Type,
	}}},
	"generations": types.MapType{ElemType: types.ObjectType{AttrTypes: map[string]attr.Type{
		"id": types.StringType,
	}}},
}}

// trainingModel is the part of a training that a record needs.
type trainingModel struct {
	ID            types.String `tfsdk:"id"`
	CharacterID   types.String `tfsdk:"character_id"`
	JobType       types.String `tfsdk:"job_type"`
	TrainingSteps types.Int64  `tfsdk:"training_steps"`
	CreatedAt     types.String `tfsdk:"created_at"`
	Succeeded     types.Bool   `tfsdk:"succeeded"`
}

var trainingType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"id":             types.StringType,
	"character_id":   types.StringType,
	"job_type":       types.StringType,
	"training_steps": types.Int64Type,
	"created_at":     types.StringType,
	"succeeded":      types.BoolType,
}}

// originOf returns the known facts about a generation: from the service's
// reply, and from the configuration.
func (d *download) originOf(id string, generation *api.Generation) media.Origin {
	origin := media.Origin{
		Group:          orEmpty(generation.GroupID),
		Service:        string(orEmpty(generation.Service)),
		GenerationType: string(orEmpty(generation.GenerationType)),
		CreatedAt:      orEmpty(generation.CreatedAt),
		SavedAt:        d.data.Clock.Now().UTC().Format(time.RFC3339),
	}
	for _, group := range d.input.Groups {
		for key, bought := range group.Generations {
			if bought.ID.ValueString() == id {
				d.addGroup(&origin, group, key)
			}
		}
	}
	origin.DigitalSourceType = media.SourceType(origin.Options)
	return origin
}

// addGroup adds the state's facts about the group and the prompt's key.
func (d *download) addGroup(origin *media.Origin, group groupModel, key string) {
	origin.Group = group.ID.ValueString()
	origin.GroupTitle = group.Title.ValueString()
	origin.Key = key
	origin.Character = group.CharacterID.ValueString()
	origin.Labels = framework.MergedLabels(d.data.Labels, framework.TextsByKey(group.Labels))
	origin.Credits = group.creditsOfPrompt()
	origin.Trainings = d.trainingsBefore(origin.Character, origin.CreatedAt)
	if prompt, known := group.Prompts[key]; known {
		origin.Options = &media.Options{
			FaceSwap:    prompt.FaceSwap.ValueBoolPointer(),
			UseFaceLoRA: prompt.UseFaceLoRA.ValueBoolPointer(),
			UseBodyLoRA: prompt.UseBodyLoRA.ValueBoolPointer(),
			Take:        prompt.Take.ValueInt64Pointer(),
			SourceHost:  media.SourceHost(prompt.SourceImageURL.ValueString()),
		}
	}
}

// creditsOfPrompt returns the average price of a prompt in the group, because
// the service reports credits only for whole batches.
func (g groupModel) creditsOfPrompt() *float64 {
	bought := g.Purchases.ValueInt64()
	if g.CreditsDeducted.IsNull() || bought == 0 {
		return nil
	}
	credits := g.CreditsDeducted.ValueFloat64() / float64(bought)
	return &credits
}

// trainingsBefore returns the trainings of a character that a generation can
// have used. A training that started later cannot have shaped the picture.
func (d *download) trainingsBefore(character, moment string) (found []media.Training) {
	made, isKnown := same.ParseMoment(moment)
	for _, training := range d.input.Trainings {
		started, isKnownToo := same.ParseMoment(training.CreatedAt.ValueString())
		isEarlier := isKnown && isKnownToo && !started.After(made)
		if !isEarlier || character == "" || training.CharacterID.ValueString() != character ||
			!training.Succeeded.ValueBool() {
			continue
		}
		found = append(found, media.Training{
			Job:       training.ID.ValueString(),
			Type:      training.JobType.ValueString(),
			Steps:     training.TrainingSteps.ValueInt64Pointer(),
			CreatedAt: training.CreatedAt.ValueString(),
		})
	}
	return found
}

func orEmpty[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}
