package work

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// approvalModel is the approval of a dataset, or of some of its images, in
// Terraform's form.
type approvalModel struct {
	CharacterID types.String `tfsdk:"character_id"`
	ImageIDs    types.Set    `tfsdk:"image_ids"`
	Approve     types.Bool   `tfsdk:"approve"`
}

// approvalState is private state. Given are the images that this resource has
// approved. Images that were approved before the resource was created or
// imported are not its to withdraw.
type approvalState struct {
	evidence.Evidence
	Given []string `json:"given,omitempty"`
}

func (m *approvalModel) character() string { return m.CharacterID.ValueString() }

func (m *approvalModel) object() string { return "dataset of " + run.NameOf(m.CharacterID) }

// ids returns the images that the configuration approves.
func (m *approvalModel) ids() (ids []string) {
	for _, element := range m.ImageIDs.Elements() {
		if id, is := element.(types.String); is {
			ids = append(ids, id.ValueString())
		}
	}
	slices.Sort(ids)
	return ids
}

func (m *approvalModel) setIDs(ids []string) {
	elements := []attr.Value{}
	for _, id := range ids {
		elements = append(elements, types.StringValue(id))
	}
	m.ImageIDs = types.SetValueMust(types.StringType, elements)
}

// failure describes a failed approval, and its consequence.
func (m *approvalModel) failure(verb, noun, consequence string) framework.Failure {
	return framework.Failure{
		Verb:        verb,
		Noun:        noun,
		Object:      m.object(),
		NotFound:    path.Root("character_id"),
		Consequence: consequence,
	}
}

// approvedIn returns the images that the dataset shows as approved, or as not
// approved.
func approvedIn(images *api.DatasetImages, approved bool) (ids []string) {
	for _, image := range images.Images {
		if image.ImageID != nil && image.Approved != nil && *image.Approved == approved {
			ids = append(ids, *image.ImageID)
		}
	}
	return ids
}

// shared returns the ids that are also in others.
func shared(ids, others []string) []string { return without(ids, without(ids, others)) }

// without returns the ids that are not in others.
func without(ids, others []string) (rest []string) {
	for _, id := range ids {
		if !slices.Contains(others, id) {
			rest = append(rest, id)
		}
	}
	return rest
}
