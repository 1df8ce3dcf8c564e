package character

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// errNotDeleted is about a service without the endpoint.
var errNotDeleted = errors.New("the service says that it did not find the character to delete, and it still shows its capabilities")

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

// forgotten says that deletion_policy leaves the character at the service.
func (m *characterModel) forgotten(done bool) diag.Diagnostic {
	id := m.ID.ValueString()
	return framework.Forgotten("Character", fmt.Sprintf("Character %q", id),
		fmt.Sprintf("The record, its images and its models stay at the service, since deletion_policy is %q in the state.", policyKeep), done, summary(id))
}
