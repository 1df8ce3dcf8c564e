package dataset

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

var _ framework.Managed = (*regenerationResource)(nil)

var oneImage = api.Purchase{Kind: api.KindImage, Count: 1}

type regenerationResource struct{ framework.Identified }

func newRegenerationResource() resource.Resource {
	return &regenerationResource{framework.Identified{
		Resource: framework.Resource{Name: "dataset_image_regeneration"},
		IDs:      framework.OfCharacter("image_id", "image_id", "Id of the dataset's image."), Buys: api.KindImage,
	}}
}

// Create regenerates the image, once. A lost reply is not an error: the image
// may have been replaced, and an error would have it replaced again.
func (r *regenerationResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, returned := r.Data.Purchasing(ctx, &resp.Diagnostics)
	defer returned()
	var plan regenerationModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	plan.Tally = r.Data.Tally(framework.Tally{}, oneImage)
	character := plan.CharacterID.ValueString()
	image, err := r.Data.Client.RegenerateImage(ctx, character, plan.ImageID.ValueString(), plan.Prompt.ValueString())
	switch {
	case err == nil:
		plan.replied(image)
	case reply.IsEffectUnknown(err):
		plan.replied(&api.DatasetImage{})
		resp.Diagnostics.AddWarning(framework.Summary("Regeneration Unconfirmed", "regeneration", plan.ImageID.ValueString(), "character "+character), fmt.Sprintf(
			"The regeneration of %s %s.\n\nIf the dataset shows the image with this prompt, it was regenerated. "+
				"The regeneration is in the state and is not sent again by itself; change triggers to regenerate the image again, which may cost credits.", plan.object(), r.Data.Unanswered(err)))
	default:
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Regenerate", Noun: "Dataset Image", Object: plan.object(), NotFound: path.Root("image_id"), Consequence: "The image was not regenerated.",
			Fields: map[string]path.Path{"prompt": path.Root("prompt"), "image_id": path.Root("image_id")},
		}.Error(err))
		return
	}
	framework.HolderName(ctx, nil, resp.Private, &resp.Diagnostics) // tells the plan of a replacement
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, &plan)...)
}

// Read finds the image in the dataset that all regenerations of the character
// share. The prompt stays as configured, whatever the service made of it.
func (r *regenerationResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state regenerationModel
	var last api.Evidence // only what the dataset has shown can vanish
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(framework.LoadPrivateState(ctx, req.Private, &last)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	// An import has no prompt: the dataset's completes a generated configuration.
	importing := state.Prompt.IsNull()
	if importing {
		state.ID = state.ImageID
	}
	var images *api.DatasetImages
	var image *api.DatasetImage
	existence, failure, err := r.Data.Client.Find(ctx, last, func(ctx context.Context) (failure error) {
		images, failure = r.Data.Client.DatasetImagesOnce(ctx, state.CharacterID.ValueString())
		if images == nil {
			images = &api.DatasetImages{} // a character that is gone has none
		}
		image = state.find(images)
		if images.AllListed {
			failure = api.Listed(image != nil, "/{character_id}/dataset/images", state.CharacterID.ValueString())
		}
		return failure
	})
	if existence == api.NotYetSeen && importing && !images.AllListed {
		err = failure
	}
	switch {
	case err != nil:
		resp.Diagnostics.Append(framework.Failure{Verb: "Read", Noun: "Dataset Image", Object: state.object(), NotFound: path.Root("character_id"), Consequence: framework.Unchanged}.Error(err))
		return
	case image != nil:
		if image.Approved != nil {
			state.Approved = types.BoolValue(*image.Approved)
		}
		if importing {
			state.Prompt = types.StringPointerValue(image.Prompt)
		}
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, r.Data.Client.Seen(last))...)
	case importing:
		resp.Diagnostics.AddError("Dataset Image Not Found", fmt.Sprintf(
			"The dataset of character %q shows no image with the id %q. Nothing was imported.", state.CharacterID.ValueString(), state.ImageID.ValueString()))
		return
	case existence == api.Gone:
		r.Drop(ctx, resp, &state)
		return
	default:
		resp.Diagnostics.AddWarning("Dataset Image Not Shown", fmt.Sprintf(
			"The service's list of the dataset of character %q is incomplete, or has never shown image %q. Its regeneration is kept as it was.",
			state.CharacterID.ValueString(), state.ImageID.ValueString()))
	}
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, &state)...)
}
