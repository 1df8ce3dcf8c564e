package generation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Former is a generation in a comparison.
type Former struct {
	Prompt   string
	ID       string
	Failed   bool
	Rejected bool
	Attempts int64
}

// Difference is the result of compare.
type Difference struct {
	Kept         map[string]string
	Buy, Removed []string
}

// Compare compares former generations with wanted prompts.
func Compare(former map[string]Former, want map[string]string, maxAttempts int64, imported bool) Difference {
	prior := newGroup()
	for key, f := range former {
		prior.prompts[key] = promptModel{Prompt: types.StringValue(f.Prompt)}
		generation := unsubmitted(f.Attempts)
		if f.ID != "" {
			generation.ID = types.StringValue(f.ID)
			generation.Succeeded = types.BoolValue(!f.Failed)
		}
		if f.Failed || f.Rejected {
			generation.Error = types.StringValue("failed")
		}
		prior.set(key, generation)
	}
	prompts := map[string]promptModel{}
	for key, text := range want {
		prompts[key] = promptModel{Prompt: types.StringValue(text)}
	}
	diff := compare(&prior, prompts, maxAttempts, imported)
	return Difference{Kept: diff.kept, Buy: diff.buy, Removed: diff.removed}
}

// Assign assigns a batch's results and returns the generation id of each
// prompt, "" where there is none.
func Assign(results []api.BatchEntry, count int) (ids []string, open bool, surplus []string) {
	assigned := assign(results, count)
	for _, entry := range assigned.entries {
		id := ""
		if entry != nil && entry.GenerationID != nil {
			id = *entry.GenerationID
		}
		ids = append(ids, id)
	}
	return ids, assigned.open, assigned.surplus
}

// Import ids and identity pairs.
var (
	DecodeImportID = decodeImportID
	EncodePairs    = encodePairs
	DecodePairs    = decodePairs
)

// PromptState is what state and private state say about a prompt.
type PromptState struct {
	ID, Status, Error string
	Succeeded         *bool
	// Missing: the state has no generation of the prompt.
	Missing, Seen, Vanished bool
}

// PhaseOf returns a prompt's phase, by name, and the counts of a group with
// only this prompt, as in the schema: succeeded, failed, pending, unknown.
func PhaseOf(s PromptState) (string, [4]int64) {
	text := func(value string) types.String {
		if value == "" {
			return types.StringNull()
		}
		return types.StringValue(value)
	}
	g := newGroup()
	g.prompts["a"] = promptModel{}
	if !s.Missing {
		generation := unsubmitted(1)
		generation.ID, generation.Status, generation.Error = text(s.ID), text(s.Status), text(s.Error)
		generation.Succeeded = types.BoolPointerValue(s.Succeeded)
		g.set("a", generation)
	}
	g.vanished[s.ID] = s.Vanished
	if s.Seen {
		g.private.Note(s.ID)
	}
	g.count()
	names := map[phase]string{
		phaseUnsubmitted: "unsubmitted", phaseNotYetSeen: "not yet seen", phaseRunning: "running", phaseSucceeded: "succeeded",
		phaseFailed: "failed", phaseRejected: "rejected", phaseUnconfirmed: "unconfirmed", phaseGone: "gone",
	}
	return names[g.phaseOf("a")], [4]int64{
		g.model.SucceededCount.ValueInt64(), g.model.FailedCount.ValueInt64(), g.model.PendingCount.ValueInt64(), g.model.UnconfirmedCount.ValueInt64(),
	}
}

// Holders gives keys generations by id, "" for none, one after the other, and
// takes "-" from them; it returns the keys of each id.
func Holders(steps [][2]string) map[string][]string {
	g := newGroup()
	for _, step := range steps {
		if key, id := step[0], step[1]; id == "-" {
			g.remove(key)
		} else {
			generation := unsubmitted(1)
			if id != "" {
				generation = newGeneration(id)
			}
			g.set(key, generation)
		}
	}
	return g.holders
}

// Result is what a group knows of the result of one key.
type Result struct {
	Prompt, ID string
	// Open: it may be another key's.
	Open bool
	// Ended: it has results. Lost: the outcome of the prompt is unknown.
	Ended, Lost bool
	// Former is the generation that the key had before.
	Former string
}

func groupOf(results map[string]Result) *group {
	g := newGroup()
	for key, result := range results {
		g.prompts[key] = promptModel{Prompt: types.StringValue(result.Prompt)}
		generation := unsubmitted(1)
		switch {
		case result.Lost:
			generation = unconfirmed(1, "the reply was lost", time.Time{})
		case result.ID != "":
			generation = newGeneration(result.ID)
		}
		if result.Ended {
			generation.Succeeded = types.BoolValue(true)
		}
		if g.set(key, generation); result.Open {
			g.private.Open = append(g.private.Open, result.ID)
		}
		if result.Former != "" {
			g.private.Superseded[key] = []string{result.Former}
		}
	}
	return &g
}

// Settle settles an open batch of all prompts by the texts that the statuses show, by
// id, and returns the id of each key and the ids that are still open.
func Settle(results map[string]Result, shown map[string]*string) (ids map[string]string, open []string) {
	g := groupOf(results)
	op := newOperation(nil, g, nil, nil)
	for id, text := range shown {
		op.statuses[id] = &api.Generation{Prompt: text}
	}
	keys := sortedKeys(g.generations)
	g.give(keys, op.owners(keys, g.idsOf(keys)))
	return g.ids(), g.private.Open
}

// Deletable returns which former generations can be deleted, by key.
func Deletable(results map[string]Result) map[string][]string { return groupOf(results).deletable() }

// DerivedKeys returns the keys of prompts in the order of creation, as an import
// derives them of a list in any order.
func DerivedKeys(prompts []string) []string {
	var generations []*api.Generation
	for i := range prompts {
		id, created := fmt.Sprint(i), time.Unix(int64(i/3), 0).UTC().Format(time.RFC3339)
		generations = append(generations, &api.Generation{GenerationID: &id, Prompt: &prompts[i], CreatedAt: &created})
	}
	rand.Shuffle(len(generations), func(i, j int) { generations[i], generations[j] = generations[j], generations[i] })
	keys := make([]string, len(prompts))
	for key, id := range deriveKeys(generations) {
		place, _ := strconv.Atoi(id)
		keys[place] = key
	}
	return keys
}

// Leave plans to destroy a group of this object's alone, which another may have
// begun to hold, and returns whether the apply is told of that.
func Leave(ctx context.Context, another bool) (shared bool) {
	data, private, diags := &framework.Data{}, privateData{}, diag.Diagnostics{}
	g := newGroup()
	g.model.ID, g.private.Created = types.StringValue("g1"), true
	g.hold(ctx, data, private, &diags)
	if another {
		data.Groups.Hold("g1", "another")
	}
	g.leave(ctx, data, private, &diags)
	stored := newPrivateState()
	diags.Append(framework.LoadPrivateState(ctx, private, &stored)...)
	return stored.Shared
}

type privateData map[string][]byte

func (p privateData) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return p[key], nil
}

func (p privateData) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}
