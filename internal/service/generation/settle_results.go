package generation

import (
	"context"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Whose a generation is. What prompt_index decides is final. What the reply to a
// batch leaves open keeps its id under a key, by order, until a status shows its
// prompt; no request is sent for that alone, except the one of lookOnce.

// settle gives an open generation, for good, to the key whose prompt a status
// shows. fixed: the plan has promised which keys have which ids, and the next
// refresh moves it.
func (g *group) settle(key, id string, echo *string, fixed bool) {
	batch, open := g.private.Open[id]
	if !open || echo == nil {
		return
	}
	for _, same := range []func(text, echo string) bool{sameText, framework.SameWords} {
		isOf := func(key string) bool { return same(g.prompts[key].subject(), *echo) }
		if isOf(key) {
			delete(g.private.Open, id)
			return
		}
		others := sortedKeys(g.generations)
		found := slices.IndexFunc(others, func(other string) bool {
			return isOf(other) && g.confusable(other, batch) && !g.shares(key) && !g.shares(other)
		})
		if found < 0 {
			continue
		}
		if _, promised := g.promised[others[found]]; !promised && !fixed {
			here, there := g.generations[key], g.generations[others[found]]
			g.set(key, there)
			g.set(others[found], here)
			delete(g.private.Open, id)
		}
		return
	}
}

// settleListed settles what the group's own list shows, if a deployment has one.
func (op *operation) settleListed(ctx context.Context) {
	g := op.group
	if listed, err := op.data.Client.OfferedGroup(ctx, g.model.ID.ValueString()); err == nil && listed != nil {
		for _, shown := range listed.Generations {
			if holder, held := g.keyOf(*shown.GenerationID); held {
				g.settle(holder, *shown.GenerationID, shown.Prompt, false)
			}
		}
	}
}

// confusable reports whether a key may have the generation that is open in a
// batch: its own is open there too, or its outcome came without an id.
func (g *group) confusable(key, batch string) bool {
	if id := g.generations[key].ID.ValueString(); id != "" {
		return g.private.Open[id] == batch
	}
	return g.phaseOf(key) != phaseUnsubmitted
}

// replaced reports whether the generations that a key had before can be deleted.
// It is the only condition for that: its own generation has results, and is
// settled, or all that it may be confused with have results too.
func (g *group) replaced(key string) bool {
	if g.phaseOf(key) != phaseSucceeded {
		return false
	}
	batch, open := g.private.Open[g.generations[key].ID.ValueString()]
	for other := range g.generations {
		if open && g.phaseOf(other) != phaseSucceeded && g.confusable(other, batch) {
			return false
		}
	}
	return true
}

// shares reports whether another key holds the same generation.
func (g *group) shares(key string) bool {
	id := g.generations[key].ID.ValueString()
	return id != "" && len(g.keysOf(id)) > 1
}

func sameText(text, echo string) bool { return strings.TrimSpace(text) == strings.TrimSpace(echo) }
