package prompts_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// textsDrawn are the texts of the properties: some of the service's words are
// equal.
var textsDrawn = rapid.SampledFrom([]string{"A", "a", " A", "B", "C", "A\r\nb", "\u00e9", "e\u0301"})

// prompt is a text, with at most one other input.
func prompt() *rapid.Generator[prompts.Prompt] {
	return rapid.Custom(func(t *rapid.T) prompts.Prompt {
		drawn := prompts.Prompt{Text: prompts.Known(textsDrawn.Draw(t, "text"))}
		fields := reflect.ValueOf(&drawn).Elem()
		option := rapid.IntRange(0, 2*fields.NumField()).Draw(t, "option")
		if option > 0 && option < fields.NumField() {
			fields.Field(option).Set(known(t, fields.Field(option).Type()))
		}
		return drawn
	})
}

func configuration() *rapid.Generator[map[string]prompts.Prompt] {
	return rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), prompt(), 1, 4)
}

// bought is a generation of a group, in any phase.
func bought(g *prompts.Group) *rapid.Generator[prompts.Generation] {
	return rapid.Custom(func(t *rapid.T) prompts.Generation {
		attempts := rapid.Int64Range(1, 2).Draw(t, "attempts")
		generation := prompts.NewGeneration(fmt.Sprintf("g%d", rapid.IntRange(1, 6).Draw(t, "id")))
		generation.Attempts = prompts.Known(attempts)
		id := generation.ID.Get()
		switch rapid.IntRange(0, 7).Draw(t, "phase") {
		case 0:
			return prompts.Unsubmitted(0)
		case 1:
			return prompts.Unconfirmed(attempts, "the reply was lost")
		case 2:
			rejected := prompts.Unsubmitted(attempts)
			rejected.Error = prompts.Known("no")
			return rejected
		case 3:
			generation.Succeeded = prompts.Known(false)
			generation.Error = prompts.Known("no")
		case 4:
			g.Seen[id] = true
		case 5:
			g.Gone[id] = true
		case 6, 7:
			generation.Succeeded = prompts.Known(true)
		}
		return generation
	})
}

// group is any that a state may have.
func group() *rapid.Generator[*prompts.Group] {
	return rapid.Custom(func(t *rapid.T) *prompts.Group {
		g := prompts.New()
		ids := rapid.SliceOfN(rapid.SampledFrom([]string{"g1", "g2", "g3", "old1", "old2"}), 0, 2)
		g.Prompts = configuration().Draw(t, "prompts")
		for _, key := range g.Keys() {
			if rapid.IntRange(0, 9).Draw(t, "missing") > 0 {
				g.Set(key, bought(&g).Draw(t, key))
			}
			if former := ids.Draw(t, "superseded"); len(former) > 0 {
				g.Superseded[key] = former
			}
		}
		g.Open = ids.Draw(t, "open")
		g.SharedIDs = ids.Draw(t, "shared")
		return &g
	})
}

// applied is the group of an update whose every purchase succeeds.
func applied(t *rapid.T, plan prompts.Plan) *prompts.Group {
	g := plan.Next
	g.SetAll(plan.Next.Generations)
	for i, key := range plan.Buy {
		if got := g.PhaseOf(key); got != prompts.PhaseUnsubmitted {
			t.Fatalf("%q is bought, and in phase %d", key, got)
		}
		generation := prompts.NewGeneration(fmt.Sprintf("new%d", i))
		generation.Attempts = prompts.Known(g.NextAttempt(key))
		generation.Succeeded = prompts.Known(true)
		g.Set(key, generation)
	}
	return &g
}

// update is one of any group.
type update struct {
	prior *prompts.Group
	want  map[string]prompts.Prompt
	prompts.Options
	plan prompts.Plan
}

func draw(t *rapid.T) update {
	u := update{
		prior: group().Draw(t, "prior"),
		want:  configuration().Draw(t, "want"),
		Options: prompts.Options{
			MaxAttempts: prompts.Known(rapid.Int64Range(1, 3).Draw(t, "attempts")),
			Imported:    rapid.Bool().Draw(t, "imported"),
			Waits:       rapid.Bool().Draw(t, "waits"),
		},
	}
	u.plan = prompts.NewPlan(u.prior, u.want, u.Options)
	return u
}

// once is a plan that repeats nothing.
var once = prompts.Options{MaxAttempts: prompts.Known(int64(1))}

func TestPlan_isDoneAfterOneUpdate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := draw(t)
		g := applied(t, u.plan)
		again := prompts.NewPlan(g, u.want, prompts.Options{MaxAttempts: u.MaxAttempts})
		if len(again.Buy) > 0 || len(again.Removed) > 0 || len(again.Former) != len(u.want) {
			t.Fatalf("after %+v there is still to do: %+v", u.plan, again)
		}
	})
}

// A key with the same inputs keeps its own generation.
func TestPlan_keepsWhatIsEqual(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := draw(t)
		for key, prompt := range u.want {
			if before, found := u.prior.Prompts[key]; found && before.Wanted() == prompt.Wanted() &&
				u.plan.Former[key] != key {
				t.Fatalf("%q is unchanged, and has the generation of %q", key, u.plan.Former[key])
			}
		}
	})
}

// A prompt that is the same, under its key or another, buys nothing; one that
// is not is bought.
func TestPlan_asksWhetherItIsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prior := group().Draw(t, "prior")
		names := rapid.Permutation([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "names")
		want := map[string]prompts.Prompt{}
		due := 0
		for i, key := range prior.Keys() {
			prompt := prior.Prompts[key]
			prompt.Text = prompts.Known(check.SameTexts(prompt.Text.Get()).Draw(t, "same"))
			want[names[i]] = prompt
			if prior.IsToBeBought(key, 1) {
				due++
			}
		}
		plan := prompts.NewPlan(prior, want, once)
		if len(plan.Buy) != due || len(plan.Removed) > 0 {
			t.Fatalf("%d are to be bought anyway, and the same texts buy %q: %+v", due, plan.Buy, plan)
		}
		key := prior.Keys()[0]
		other := prior.Prompts[key]
		other.Text = prompts.Known(check.OtherTexts(other.Text.Get()).Draw(t, "other"))
		isNew := true
		for _, former := range prior.Prompts {
			isNew = isNew && !other.IsSame(former)
		}
		plan = prompts.NewPlan(prior, map[string]prompts.Prompt{key: other}, once)
		if isNew && !slices.Contains(plan.Buy, key) {
			t.Fatalf("%q has another text, and is not bought: %+v", key, plan)
		}
	})
}

// A renamed key takes its generation along, unless that is to be bought anyway.
func TestPlan_buysNothingForRenamedKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prior := group().Draw(t, "prior")
		names := rapid.Permutation([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "names")
		want := map[string]prompts.Prompt{}
		for i, key := range prior.Keys() {
			want[names[i]] = prior.Prompts[key]
		}
		due := 0
		for _, key := range prior.Keys() {
			if prior.IsToBeBought(key, 1) {
				due++
			}
		}
		plan := prompts.NewPlan(prior, want, once)
		if len(plan.Buy) != due || len(plan.BoughtAs(prompts.ReasonChanged)) > 0 || len(plan.Removed) > 0 {
			t.Fatalf("%d are to be bought anyway, and the names buy %q: %+v", due, plan.Buy, plan)
		}
	})
}

// What an update deletes, nobody needs: no key has it, no key without results
// waits for its successor, and no other object has it; and the plan has shown
// it.
func TestDeletable_isNothingThatIsNeeded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := draw(t)
		removed := u.plan.Delete.Removed
		superseded := u.plan.Delete.Superseded
		after := applied(t, u.plan)
		deletable := slices.Concat(slices.Collect(maps.Values(after.Deletable()))...)
		for _, id := range slices.Concat(removed, deletable) {
			if len(after.KeysOf(id)) > 0 || slices.Contains(after.SharedIDs, id) {
				t.Fatalf("%q is deleted, and needed by %q, or by another object", id, after.KeysOf(id))
			}
			for key, ids := range after.Superseded {
				if slices.Contains(ids, id) && after.PhaseOf(key) != prompts.PhaseSucceeded {
					t.Fatalf("%q is deleted, and %q has no other results", id, key)
				}
			}
			if !slices.Contains(removed, id) && !slices.Contains(superseded, id) {
				t.Fatalf("%q is deleted, and the plan has shown %q and %q", id, removed, superseded)
			}
		}
	})
}

// Every generation of the prior group is kept, remembered, given up or left
// behind.
func TestPlan_losesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := draw(t)
		known := slices.Concat(u.plan.Next.AllIDs(), u.prior.WithSuperseded(u.plan.Removed...), u.plan.Leftover)
		for _, id := range u.prior.AllIDs() {
			if !slices.Contains(known, id) {
				t.Fatalf("%q of the prior group is lost: %+v", id, u.plan)
			}
		}
		keeping := u.Options
		keeping.Keeps = true
		kept := prompts.NewPlan(u.prior, u.want, keeping)
		if len(kept.Delete.IDs()) > 0 {
			t.Fatalf("keep deletes %+v", kept.Delete)
		}
		for _, id := range u.prior.AllIDs() {
			stays := len(kept.Next.KeysOf(id)) > 0 || slices.Contains(kept.Leftover, id) ||
				slices.Contains(kept.Next.SharedIDs, id)
			if stays == slices.Contains(kept.Forget, id) {
				t.Fatalf("under keep, %q is in neither state nor log, or in both: %q", id, kept.Forget)
			}
		}
	})
}

// Also if some prompts become known meanwhile; what is promised unchanged is
// not touched.
func TestPlan_showsAllThatIsBought(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		u := draw(t)
		open := maps.Clone(u.want)
		for _, key := range slices.Sorted(maps.Keys(u.want)) {
			if rapid.IntRange(0, 2).Draw(t, "unknown") == 0 {
				open[key] = prompts.Prompt{Text: prompts.Unknown[string]()}
			}
		}
		plan := prompts.NewPlan(u.prior, open, u.Options)
		shown := plan.Next
		shown.SetAll(plan.Shown())
		for _, key := range u.plan.Buy {
			if !slices.Contains(shown.ShownAsBought(), key) {
				t.Fatalf("%q is bought, and the plan shows %q", key, shown.ShownAsBought())
			}
		}
		for key, generation := range shown.Generations {
			if _, stays := plan.Keep[key]; !stays && !generation.Status.IsUnknown() {
				t.Fatalf("%q is not kept, and the plan shows it as %+v", key, generation)
			}
		}
		for key, generation := range plan.Keep {
			now := shown.Generations[key]
			if !now.ID.IsUnknown() && (now.ID != generation.ID || now.Status != generation.Status) {
				t.Fatalf("%q is kept as %+v, and shown as %+v", key, generation, now)
			}
		}
	})
}
