package acctest_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// What the random stories and the real CLIs have found of killed runs, each as
// its shortest story.

// replacedAndKilled lets a run replace the group that creates first, and be
// killed once the batch is answered.
func (k *killing) replacedAndKilled() {
	k.T.Helper()
	k.groupAt(killedGroup, nil, core.CreateBeforeDestroy())
	k.settles()
	reached := false
	k.Fault(mockserver.Fault{
		Route: mockserver.RouteStatus,
		After: mockserver.RouteBatch,
		Nth:   1,
		Reached: func() {
			reached = true
			k.killNow()
		},
	})
	k.Apply(core.Replacing(killedGroup))
	k.ClearFaults()
	check.True(k.T, "it was killed", reached)
	k.endProcess()
}

// The warning of a killed replacement promises to end once a person has deleted
// at the service what it names. Nothing asked the service for that: the warning
// stayed for ever, and so did the refusal of a later replacement. Fault F39.
func TestTeamKills_replacementIsDeleted(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.replacedAndKilled()
	k.WantWarning(k.Plan().Must().Diagnostics, "Bought This Once More", "gen_000002", "delete it at the service")
	k.DeleteGenerationBehindTheBack("gen_000002")
	plan := k.Plan().Must()
	plan.WantEmpty()
	k.WantSilent(plan.Diagnostics, "Bought This")
	k.Apply(core.Replacing(killedGroup)).Must()
	k.wantBought(3, 0, 0)
}

// A replacement was killed before its reply, and the state still has what it had
// deleted. The entry without ids took the deleted id for its own, was proven gone
// with it, and the batch was bought again. Fault F39.
func TestTeamKills_deletedIDIsNotLearned(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(k *killing){
		"the same key": func(*killing) {},
		"another key": func(k *killing) {
			k.AddAPIKey(colleague, "")
			k.set(core.Object{"api_key": colleague})
			k.Plan()
			k.set(core.Object{"api_key": colleague, "trust_not_found": true})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.groupAt(killedGroup, nil)
			k.settles()
			before := k.Snapshot()
			fault := whileBatch
			fault.Reached = k.killNow
			k.Fault(fault)
			k.Apply(core.Replacing(killedGroup))
			k.ClearFaults()
			k.endProcess()
			k.Restore(before)
			next(k)
			k.refused("no answer is known")
			k.Import(killedGroup, `{"a":"gen_000002"}`).Must()
			k.settles()
			k.wantBought(2, 0, 0)
		})
	}
}

// obeys runs what the messages about purchases say, to the letter: the command,
// if they have one, and the import.
func (k *killing) obeys(said core.Diagnostics) {
	k.T.Helper()
	for _, message := range said {
		_, after, _ := strings.Cut(message.Detail, "jsonencode(")
		id, _, found := strings.Cut(after, ")")
		check.True(k.T, "it names an import", found, message)
		if strings.Contains(message.Detail, "\n  terraform state rm ADDRESS\n") {
			k.Forget(message.Address)
		}
		k.Import(message.Address, id).Must()
	}
}

// A replacement of a group with a changed prompt was killed. The import that was
// named had what the changed prompt has in the new group, and what the other has
// in the former one, which no import takes. Fault F39.
func TestTeamKills_replacementOfAChangedGroup(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	write := func(text string) {
		prompts := core.Object{"a": core.Object{"prompt": text}, "b": core.Object{"prompt": "B"}}
		k.groupAt(killedGroup, core.Object{"prompts": prompts}, core.CreateBeforeDestroy())
	}
	write("A")
	k.settles()
	write("another A")
	k.Fault(mockserver.Fault{
		Route:   mockserver.RouteStatus,
		After:   mockserver.RouteBatch,
		Nth:     1,
		Reached: k.killNow,
	})
	k.Apply(core.Replacing(killedGroup))
	k.ClearFaults()
	k.endProcess()
	k.wantBought(2, 0, 0)
	for range 2 {
		k.obeys(k.Apply().Diagnostics.Errors().Find(anotherRun))
	}
	k.settles()
	k.WantSilent(k.Plan().Must().Diagnostics, "Bought This")
	k.wantBought(2, 0, 0)
	k.Want(killedGroup, core.Object{`generations["a"].id`: "gen_000003", `generations["b"].id`: "gen_000004"})
}
