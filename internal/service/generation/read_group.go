package generation

import (
	"context"
	"errors"
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

// refresh concludes last from what a stranger cannot see: if another generation
// of the group can be read, it is the same organization that asks.
func (r *refresher) refresh(ctx context.Context) error {
	g := r.group
	read, strange := map[string]error{}, []string{}
	for _, key := range g.keysWhere(func(m generationModel) bool { return !m.ID.IsNull() }) {
		// An earlier status can have moved generations between keys.
		generation := g.generations[key]
		id := generation.ID.ValueString()
		if _, done := read[id]; done || id == "" {
			continue // read as that of another key, or gone with it
		}
		if !generation.Succeeded.IsNull() && !g.model.RefreshFinished.ValueBool() && !r.importing && !g.private.Doubted {
			continue
		}
		status, answer := r.client.Generation(ctx, id)
		read[id] = answer
		err := r.take(id, status, answer)
		if unproven, is := errors.AsType[*api.UnprovenError](err); is && unproven.Stranger() {
			strange = append(strange, id)
			continue
		}
		if err != nil {
			return err
		}
	}
	for _, id := range strange {
		if err := r.take(id, nil, read[id]); err != nil {
			return err
		}
	}
	if g.private.Doubted && len(g.ids()) == 0 {
		g.model.ID = types.StringNull() // nothing can be added to it any more
	}
	g.private.Doubted = false
	return nil
}

// take draws the conclusions from a status, or from why there is none.
func (r *refresher) take(id string, status *api.Generation, answer error) error {
	g := r.group
	verdict, err := g.judge(r.client, id, answer)
	switch {
	case err != nil:
		return err
	case verdict != api.Present && r.importing:
		key, _ := g.keyOf(id)
		return fmt.Errorf("the generation %q of the key %q does not exist: %w", id, key, answer)
	case verdict == api.Gone:
		// The keys are planned again.
		for _, holder := range g.keysOf(id) {
			delete(g.generations, holder)
		}
		r.vanished = true
		return nil
	case verdict == api.Pending:
		return nil
	}
	if r.importing {
		for _, holder := range g.keysOf(id) {
			if err := r.adopt(holder, id, status); err != nil {
				return err
			}
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
		if g.hasID() && g.model.ID.ValueString() != *status.GroupID {
			return fmt.Errorf("the generations to import belong to different groups: %q is of the group %q, another one of %q; import each group by itself", id, *status.GroupID, g.model.ID.ValueString())
		}
		g.model.ID = types.StringValue(*status.GroupID)
	}
	if g.model.GenerationType.IsNull() {
		g.model.GenerationType = types.StringPointerValue(status.GenerationType)
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

// find reads a generation's status, and tells what it means if there is none.
func (g *group) find(ctx context.Context, client *api.Client, id string) (*api.Generation, api.Verdict, error) {
	status, err := client.Generation(ctx, id)
	verdict, err := g.judge(client, id, err)
	return status, verdict, err
}

// judge concludes from the outcome of a read of a generation. What one of the
// group's generations shows of who asks holds for all of them.
func (g *group) judge(client *api.Client, id string, answer error) (api.Verdict, error) {
	last := api.Sighting{Shown: g.private.Seen[id], By: g.private.By}
	verdict, err := client.Judge(answer, last)
	if verdict == api.Present {
		g.private.By = client.Seen(last).By
	}
	return verdict, err
}
