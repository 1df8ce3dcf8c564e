package generation

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// refresher reads a group's generations, one request each.
type refresher struct {
	client *api.Client
	group  *group
	// importing: the state holds nothing but ids yet.
	importing bool
	vanished  bool
}

func (r *refresher) refresh(ctx context.Context) error {
	g := r.group
	for _, key := range g.keysWhere(func(m generationModel) bool { return !m.ID.IsNull() }) {
		// An earlier status can have moved generations between keys.
		generation := g.generations[key]
		if !generation.Succeeded.IsNull() && !g.RefreshFinished.ValueBool() && !r.importing && !g.notes.Doubted {
			continue
		}
		if err := r.read(ctx, key, generation.ID.ValueString()); err != nil {
			return err
		}
	}
	if g.notes.Doubted && len(g.ids()) == 0 {
		g.ID = types.StringNull() // nothing can be added to it any more
	}
	g.notes.Doubted = false
	return nil
}

func (r *refresher) read(ctx context.Context, key, id string) error {
	g := r.group
	status, err := r.client.Generation(ctx, id)
	switch {
	case api.IsNotFound(err) && r.importing:
		return fmt.Errorf("the generation %q of the key %q does not exist: %w", id, key, err)
	case api.IsNotFound(err) && g.notes.Seen[id]:
		// Only what a status has shown can vanish; the key is planned again.
		if found, ok := g.keyOf(id); ok {
			delete(g.generations, found)
		}
		r.vanished = true
		return nil
	case api.IsNotFound(err):
		return nil
	case err != nil:
		return err
	}
	if r.importing {
		if err := r.adopt(key, id, status); err != nil {
			return err
		}
	}
	g.observe(id, status, true)
	return nil
}

// adopt takes over what a status can tell of an imported generation. How it
// was asked for comes from the configuration at the next plan.
func (r *refresher) adopt(key, id string, status *api.Generation) error {
	g := r.group
	if status.GroupID != nil && *status.GroupID != "" {
		if g.hasID() && g.ID.ValueString() != *status.GroupID {
			return fmt.Errorf("the generations to import belong to different groups: %q is of the group %q, another one of %q; import each group by itself", id, *status.GroupID, g.ID.ValueString())
		}
		g.ID = types.StringValue(*status.GroupID)
	}
	if g.GenerationType.IsNull() {
		g.GenerationType = types.StringPointerValue(status.GenerationType)
	}
	g.prompts[key] = promptModel{Prompt: types.StringPointerValue(status.Prompt)}
	generation := unsubmitted(1)
	generation.ID = types.StringValue(id)
	g.generations[key] = generation
	return nil
}

// allGone reports whether the group has been deleted elsewhere: something of
// it vanished, and nothing is left that exists or may exist.
func (r *refresher) allGone() bool {
	if !r.vanished {
		return false
	}
	for _, generation := range r.group.generations {
		if !generation.ID.IsNull() || generation.isUnknown() {
			return false
		}
	}
	return true
}
