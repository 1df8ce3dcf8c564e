package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// update sends the configured texts. For one that is not configured it sends
// the service's present text, which may have changed since the plan.
func (r *characterResource) update(ctx context.Context, config *characterModel, current *api.Character) (*api.Character, error) {
	if config.Name.IsNull() || config.Description.IsNull() {
		found, _, err := r.Data.Client.FindCharacter(ctx, current.ID)
		if err != nil {
			return nil, err
		}
		if found != nil {
			current = found
		}
	}
	update, needed := config.update(current.Name, current.Description)
	if !needed {
		return current, nil
	}
	return r.Data.Client.UpdateCharacter(ctx, current.ID, update)
}

func updateFailure(id string) framework.Failure {
	return framework.Failure{
		Verb: "Update", Noun: "Character", Object: object(id), NotFound: path.Root("id"),
		Consequence: "An update costs nothing; applying again repeats it.",
		Fields:      map[string]path.Path{"name": path.Root("name"), "description": path.Root("description")},
	}
}
