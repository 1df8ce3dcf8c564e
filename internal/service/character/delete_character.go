package character

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// errNotDeleted is about a service without the endpoint.
var errNotDeleted = errors.New("the service says that it did not find the character to delete, and it still shows its capabilities")

// Delete deletes the character, or forgets it. The plan has said so.
func (r *characterResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.Data.WarnOfUnwrittenEntries(&resp.Diagnostics)
	var last api.Evidence
	state := modelOf(ctx, req.State, &resp.Diagnostics)
	resp.Diagnostics.Append(framework.LoadPrivateState(ctx, req.Private, &last)...)
	if state.keeps() {
		resp.Diagnostics.Append(state.forgotten(true))
	}
	if resp.Diagnostics.HasError() || state.keeps() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	if err := r.delete(ctx, state.ID.ValueString(), last.AsShown()); err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Delete", Noun: "Character", Object: object(state.ID.ValueString()),
			Consequence: "The character may still be at the service, and stays in the state; destroy again to finish. If the deployment cannot delete characters, apply deletion_policy = \"keep\" first, to forget it.",
		}.Error(err))
	}
}

// delete accepts that the character is gone already, if two reads say so too: a
// service without the endpoint may answer the same.
func (r *characterResource) delete(ctx context.Context, id string, last api.Evidence) error {
	existence, err := r.Data.Client.Judge(ctx, r.Data.Client.DeleteCharacter(ctx, id), last)
	if existence != api.Gone {
		return err
	}
	existence, _, err = r.Data.Client.Find(ctx, last, func(ctx context.Context) error {
		_, failure := r.Data.Client.Capabilities(ctx, id)
		return failure
	})
	if existence == api.Present {
		return errNotDeleted
	}
	return err
}
