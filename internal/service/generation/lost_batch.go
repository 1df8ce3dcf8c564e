package generation

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// What a batch has made whose reply was lost, or names no generations. A deployment
// with extended_reads lists groups: what can come from nothing else is adopted.

// mostRead bounds the groups that one look at their list reads.
const mostRead = 20

// sentBatch is a batch, from before it is sent until its prompts have generations.
type sentBatch struct {
	framework.Lost
	keys []string
	// likeness is what it has in common with those that may make the same, and name
	// tells it apart from them.
	likeness, name string
}

// begin records that a batch is about to be sent.
func (op *operation) begin(keys []string) sentBatch {
	g := op.group
	likeness := g.model.ID.ValueString()
	if !g.hasID() {
		likeness = fmt.Sprintf("%s %s %q", g.model.CharacterID, g.model.Title, g.texts(keys))
	}
	batch := sentBatch{Lost: framework.Lost{Asked: op.data.Clock.Now()}, keys: keys, likeness: likeness, name: rand.Text()}
	op.data.Batches.Hold(likeness, batch.name)
	return batch
}

// candidate is a group, with those of its generations that a batch may have made.
type candidate struct {
	*api.Group
	// made are the generations by key; nil if nothing tells which are whose.
	made map[string]*api.Generation
	// certain: no other batch can have made them.
	certain bool
}

// find looks for what a batch of unknown outcome has made, and gives it to its keys
// if there is one candidate, which is certain.
func (op *operation) find(ctx context.Context, batch sentBatch) (candidates []candidate, found bool) {
	g := op.group
	hopeless := !g.hasID() && g.model.Title.ValueString() == ""
	op.data.SearchLost(ctx, op.progress, func(ctx context.Context) (bool, error) {
		groups, whole, err := op.groupsFor(ctx, batch)
		if err != nil || groups == nil {
			return err == nil, err
		}
		// Before the question who holds what: another batch answers it, then is no more.
		contested := len(op.data.Batches.Others(batch.likeness, batch.name)) > 0
		candidates = nil
		for _, group := range groups {
			if c := op.candidateIn(group, batch); len(c.Generations) > 0 {
				candidates = append(candidates, c)
			}
		}
		found = whole && !contested && len(candidates) == 1 && candidates[0].certain
		return hopeless || !contested && slices.ContainsFunc(candidates, func(c candidate) bool { return c.made != nil }), nil
	})
	if found {
		op.adopt(candidates[0])
	}
	return candidates, found
}

// groupsFor reads the group that a batch was sent to, or those that it may have made,
// and reports whether there are no more; nil where they are not shown.
func (op *operation) groupsFor(ctx context.Context, batch sentBatch) (groups []*api.Group, whole bool, err error) {
	g, ids, title := op.group, []string{op.group.model.ID.ValueString()}, op.group.model.Title
	whole = true
	if !g.hasID() {
		list, err := op.data.Client.OfferedGroups(ctx, g.model.CharacterID.ValueString())
		if list == nil {
			return nil, false, err
		}
		lost := batch.ByClockOf(list.Date, op.data.Clock.Now())
		ids = nil
		for _, listed := range list.Groups {
			sized := listed.GenerationCount == nil || *listed.GenerationCount == int64(len(batch.keys))
			titled := title.IsNull() || listed.Title == nil || framework.SameWords(title.ValueString(), *listed.Title)
			if sized && titled && lost.Origin(listed.ID, listed.CreatedAt, list.Date) != framework.Others && len(op.data.Groups.Others(listed.ID, "")) == 0 {
				ids = append(ids, listed.ID)
			}
		}
		whole = list.Whole && len(ids) <= mostRead
	}
	groups = []*api.Group{}
	for _, id := range ids[:min(len(ids), mostRead)] {
		group, err := op.data.Client.OfferedGroup(ctx, id)
		if group == nil {
			return nil, false, err
		}
		groups = append(groups, group)
	}
	return groups, whole, nil
}

// candidateIn judges what a batch may have made of a group: what nothing of the run
// holds, and was created since. All of a new group has to be of it.
func (op *operation) candidateIn(group *api.Group, batch sentBatch) candidate {
	g, texts := op.group, op.group.texts(batch.keys)
	lost, title := batch.ByClockOf(group.Date, op.data.Clock.Now()), g.model.Title.ValueString()
	lost.Before = g.allIDs()
	c := candidate{Group: &api.Group{ID: group.ID, GroupType: group.GroupType}, certain: group.Whole}
	for _, generation := range group.Generations {
		id := *generation.GenerationID
		origin := lost.Origin(id, generation.CreatedAt, group.Date)
		ours := generation.Prompt != nil && slices.Contains(texts, framework.Words(*generation.Prompt))
		switch {
		case ours && origin != framework.Others && len(op.data.Generations.Others(id, "")) == 0:
			c.Generations = append(c.Generations, generation)
			c.certain = c.certain && origin == framework.Ours
		case !g.hasID():
			return candidate{Group: &api.Group{}}
		}
	}
	c.made = g.match(batch.keys, c.Generations)
	titled := g.hasID() || title != "" && group.Title != nil && framework.SameWords(title, *group.Title)
	c.certain = c.certain && c.made != nil && titled
	return c
}

// texts are those of some prompts, sorted, as far as a service repeats them.
func (g *group) texts(keys []string) []string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = framework.Words(g.prompts[key].Prompt.ValueString())
	}
	slices.Sort(texts)
	return texts
}

// match gives each key a generation of its text, as the service repeats that; nil
// unless there are exactly as many of each, and of one text all inputs are equal.
func (g *group) match(keys []string, shown []*api.Generation) map[string]*api.Generation {
	left, sent, made := map[string][]*api.Generation{}, map[string]promptModel{}, map[string]*api.Generation{}
	for _, generation := range shown {
		text := framework.Words(*generation.Prompt)
		left[text] = append(left[text], generation)
	}
	for _, key := range keys {
		prompt := g.prompts[key].sent()
		text := framework.Words(prompt.Prompt.ValueString())
		if other, again := sent[text]; again && other != prompt || len(left[text]) == 0 || len(keys) != len(shown) {
			return nil
		}
		sent[text], made[key], left[text] = prompt, left[text][0], left[text][1:]
	}
	return made
}

// adopt takes over what a batch has made. That this object has created the group is
// likely, and no more: a destroy asks what else is in it.
func (op *operation) adopt(found candidate) {
	g := op.group
	g.private.By = op.data.Client.Seen(api.Evidence{By: g.private.By}).By
	if !g.hasID() {
		g.private.Created = false
		g.model.ID, g.model.GenerationType = types.StringValue(found.ID), latest(found.GroupType, g.model.GenerationType)
	}
	for key, listed := range found.made {
		generation := newGeneration(*listed.GenerationID)
		generation.Status, generation.Attempts = types.StringPointerValue(listed.Status), g.generations[key].Attempts
		g.set(key, generation)
		if listed.Success() {
			g.recordStatus(*listed.GenerationID, listed, true)
		}
	}
}

// mayBe names, for a warning, what a batch may have made.
func mayBe(candidates []candidate) (text string) {
	for _, c := range candidates {
		var ids []string
		for _, generation := range c.Generations {
			ids = append(ids, *generation.GenerationID)
		}
		text += fmt.Sprintf("\nthe group %q, with %s", c.ID, everyOf(ids))
	}
	return strings.TrimSpace(text)
}
