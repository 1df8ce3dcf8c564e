package generation

import (
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// observe takes a status reply into the working copy. movable says whether a
// key may still learn that the generation of another key of its batch is its
// own: not during an update that only goes on waiting, whose plan has promised
// the ids.
func (g *group) observe(id string, status *api.Generation, movable bool) {
	g.private.Seen[id] = true
	holder, found := g.keyOf(id)
	if !found {
		return
	}
	g.verify(holder, id, status.Prompt, movable)
	for _, key := range g.keysOf(id) {
		g.generations[key] = g.generations[key].with(status)
	}
	if !g.hasID() && movable && status.GroupID != nil && *status.GroupID != "" {
		g.model.ID = types.StringValue(*status.GroupID)
	}
}

// keyOf is one of the keys that hold a generation.
func (g *group) keyOf(id string) (string, bool) {
	for key, generation := range g.generations {
		if generation.ID.ValueString() == id {
			return key, true
		}
	}
	return "", false
}

// keysOf are all the keys that hold a generation: equal prompts may share one.
func (g *group) keysOf(id string) []string {
	return g.keysWhere(func(generation generationModel) bool { return generation.ID.ValueString() == id })
}

// with is the generation as a status shows it. What a status leaves out stays
// as it was.
func (m generationModel) with(status *api.Generation) generationModel {
	m.Status = latest(status.Status, m.Status)
	if status.Progress != nil {
		m.Progress = types.Int64Value(*status.Progress)
	}
	m.Service = latest(status.Service, m.Service)
	m.GenerationType = latest(status.GenerationType, m.GenerationType)
	m.CreatedAt = latest(status.CreatedAt, m.CreatedAt)
	m.PerformanceMetadata = latest(status.PerformanceMetadata, m.PerformanceMetadata)
	m.Succeeded, m.Error = types.BoolNull(), types.StringNull()
	switch status.Phase() {
	case api.Succeeded:
		m.Succeeded = types.BoolValue(true)
	case api.Failed, api.Stopped:
		m.Succeeded = types.BoolValue(false)
		m.Error = failureText(status)
	case api.Running:
	}
	m.ResultURLs = m.results(status.ResultURLs)
	return m
}

// results keeps the stored addresses as long as only their signatures or their
// order differ.
func (m generationModel) results(served []string) types.List {
	if served == nil {
		return m.ResultURLs
	}
	served = framework.BoundedAddresses(served)
	ordered := slices.Sorted(slices.Values(m.addresses()))
	if slices.Equal(framework.SameAddresses(ordered, slices.Sorted(slices.Values(served))), ordered) {
		return m.ResultURLs
	}
	return stringList(served)
}

// addresses are those of the stored results.
func (m generationModel) addresses() []string {
	var stored []string
	for _, element := range m.ResultURLs.Elements() {
		if address, ok := element.(types.String); ok {
			stored = append(stored, address.ValueString())
		}
	}
	return stored
}

func failureText(status *api.Generation) types.String {
	if status.Error != nil && *status.Error != "" {
		return types.StringValue(*status.Error)
	}
	word := "no status"
	if status.Status != nil {
		word = "status " + *status.Status
	}
	return types.StringValue("The service gave no reason (" + word + ").")
}

func latest(served *string, stored types.String) types.String {
	if served == nil {
		return stored
	}
	return types.StringValue(*served)
}

// verify compares the prompt that the service says it renders with the key's,
// before anything is concluded from the result or deleted for it, and gives the
// generation to the key that it really belongs to.
func (g *group) verify(key, id string, echo *string, movable bool) {
	own, unverified := g.private.Unverified[id]
	if !unverified || echo == nil || *echo == "" {
		return
	}
	if own.Certain && couldBe(g.prompts[key], *echo) {
		delete(g.private.Unverified, id)
		return
	}
	for _, same := range []func(promptModel, string) bool{sameText, sameWords} {
		if same(g.prompts[key], *echo) {
			delete(g.private.Unverified, id)
			return
		}
		for _, other := range sortedKeys(g.generations) {
			if other != key && same(g.prompts[other], *echo) && g.mixable(other, own) && !g.shares(key) && !g.shares(other) {
				g.exchange(key, other, id, movable)
				return
			}
		}
	}
}

// shares reports whether another key holds the generation of this one too.
func (g *group) shares(key string) bool {
	id := g.generations[key].ID.ValueString()
	return id != "" && len(g.keysOf(id)) > 1
}

// exchange gives a generation to the key whose prompt it renders.
func (g *group) exchange(key, other, id string, movable bool) {
	if movable {
		g.generations[key], g.generations[other] = g.generations[other], g.generations[key]
		delete(g.private.Unverified, id)
		return
	}
	// The next refresh moves it; until then nothing is concluded from it.
	own := g.private.Unverified[id]
	own.Certain = false
	g.private.Unverified[id] = own
}

func sameText(prompt promptModel, echo string) bool {
	return strings.TrimSpace(prompt.Prompt.ValueString()) == strings.TrimSpace(echo)
}

// sameWords: services may repeat a prompt in other case or white space.
func sameWords(prompt promptModel, echo string) bool {
	return words(prompt.Prompt.ValueString()) == words(echo)
}

// couldBe: the echo is the prompt as sameWords sees it, perhaps cut off.
func couldBe(prompt promptModel, echo string) bool {
	return strings.HasPrefix(words(prompt.Prompt.ValueString()), words(echo))
}

func words(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// mixable reports whether a key's result can have been mixed up with one of
// the given batch: it is of the same batch and not confirmed, or has no id.
func (g *group) mixable(key string, batch placement) bool {
	id := g.generations[key].ID.ValueString()
	if id == "" {
		return !g.generations[key].isUnsubmitted()
	}
	other, unverified := g.private.Unverified[id]
	return unverified && other.Batch == batch.Batch
}

// confirmed reports whether it is sure that a key's own generation has results:
// it is known whose is whose, or all that can be mixed up have results.
func (g *group) confirmed(key string) bool {
	place, unverified := g.private.Unverified[g.generations[key].ID.ValueString()]
	if !unverified || place.Certain {
		return true
	}
	for other, generation := range g.generations {
		if g.mixable(other, place) && !generation.Succeeded.ValueBool() {
			return false
		}
	}
	return true
}

// replaced reports whether a key's own generation surely has results, so that
// what it had before can go.
func (g *group) replaced(key string) bool {
	return g.generations[key].Succeeded.ValueBool() && g.confirmed(key)
}

// needs reports whether a generation must stay: a key holds it, or has nothing
// to replace it yet.
func (g *group) needs(id string) bool {
	if _, held := g.keyOf(id); held {
		return true
	}
	for key, superseded := range g.private.Superseded {
		if slices.Contains(superseded, id) && !g.replaced(key) {
			return true
		}
	}
	return false
}

// deletable are the sorted keys with superseded generations that nothing needs
// any more.
func (g *group) deletable() []string {
	return slices.DeleteFunc(sortedKeys(g.private.Superseded), func(key string) bool {
		return !slices.ContainsFunc(g.private.Superseded[key], func(id string) bool { return !g.needs(id) })
	})
}
