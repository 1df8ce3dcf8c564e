package acctest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A CLI plans again when it applies, and refuses a plan that differs in
// anything that was known. So no plan may promise what the service can change
// meanwhile. Fault F17.
func TestPlanAndReplanAgree(t *testing.T) {
	tier.Large(t, "122 situations, each planned twice")
	t.Parallel()
	all := acctest.Subjects(t)
	for name := range acctest.Schemas(t).ResourceSchemas {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			subject, ok := all[name]
			if !ok {
				t.Fatal("nobody has looked at the type")
			}
			for change, meanwhile := range subject.Meanwhiles() {
				t.Run(change, func(t *testing.T) {
					t.Parallel()
					for _, situation := range subject.Situations(name + ".x") {
						replan(t, situation, name+".x", subject, meanwhile)
					}
				})
			}
		})
	}
}

func replan(t *testing.T, c acctest.Situation, address string, of acctest.Subject, meanwhile acctest.Meanwhile) {
	t.Helper()
	s := acctest.NewForSubjects(t)
	w := c.Prepare(t, s, address, of)
	if meanwhile.Before != nil {
		meanwhile.Before(s)
	}
	plan := w.Plan(c.Flags...)
	if meanwhile.Between != nil {
		meanwhile.Between(s)
	} else if action := plan.Action(address); action != c.Action {
		t.Errorf("%s: the action is %s:\n%s", c.Name, action, plan)
	}
	booked := len(s.Ledger().Entries)
	said := w.ApplyPlan(plan).Diagnostics
	for _, diagnostic := range said {
		check.True(
			t,
			c.Name,
			!strings.HasPrefix(diagnostic.Summary, "Provider ") &&
				!strings.Contains(diagnostic.Detail, "bug in the provider"),
			diagnostic,
		)
	}
	// Under create_before_destroy a training does not start beside its
	// predecessor.
	check.True(
		t,
		c.Name+": an apply after which nothing has happened",
		meanwhile.Between != nil || !said.HasErrors() || len(said.Find("Training Runs Already")) != 0,
		said,
	)
	bought := 0
	for _, entry := range s.Ledger().Entries[booked:] {
		bought += map[string]int{"training": 1, "dataset": 1, "batch": len(entry.Prompts)}[entry.Kind]
	}
	most := announcedBy(plan, address)
	check.True(t, c.Name+": all that is bought was announced", bought <= most, bought, plan)
}

// announcedBy counts the unknown ids that say that credits are spent.
func announcedBy(plan *core.Plan, address string) int {
	ids := plan.UnknownIDs(address)
	if strings.HasPrefix(address, "mediagen_generation_group.") {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "id" })
	}
	return len(ids)
}

// Each plan says how much is bought in a life: an apply buys no more. Of a
// replacement it is not known, else the plan would show nothing. Fault F28.
func TestTally(t *testing.T) {
	t.Parallel()
	all := acctest.Subjects(t)
	tallied := 0
	for name, resource := range acctest.Schemas(t).ResourceSchemas {
		if !slices.ContainsFunc(
			resource.Block.Attributes,
			func(a *tfprotov6.SchemaAttribute) bool { return a.Name == "purchases" },
		) {
			continue
		}
		tallied++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, situation := range all[name].Situations(name + ".x") {
				t.Run(situation.Name, func(t *testing.T) {
					t.Parallel()
					tally(t, situation, name+".x", all[name])
				})
			}
		})
	}
	check.Equal(t, "types that buy", tallied, 6)
}

func tally(t *testing.T, c acctest.Situation, address string, of acctest.Subject) {
	t.Helper()
	s := acctest.NewForSubjects(t)
	w := c.Prepare(t, s, address, of)
	before := tallyOf(w.State(address))
	if c.Imported {
		check.Equal(t, "purchases after an import", before, 0)
	}
	plan := w.Plan(c.Flags...)
	booked := purchasedOf(s, of)
	said := w.ApplyPlan(plan).Diagnostics
	if len(said.Find("Training Runs Already")) > 0 {
		return // under create_before_destroy
	}
	check.True(t, "the apply", !said.HasErrors(), said)
	bought := purchasedOf(s, of) - booked
	after := tallyOf(w.State(address))
	planned := plan.Change(address).After
	if c.Action == core.Replace {
		check.True(
			t,
			"the plan of a replacement",
			planned["purchases"] == core.Unknown && planned["cost"] == core.Unknown,
			plan,
		)
		before = 0
	} else {
		check.Equal(t, "what the plan says", tallyOf(planned), after)
	}
	check.Equal(t, "purchases of its life", after, before+bought)
	cost := map[bool]any{true: int64(0), false: float64(after) / 10}[after == 0]
	check.True(t, "the cost", w.State(address)["cost"] == cost, w.State(address)["cost"], cost)
	if next := w.Plan(); announcedBy(next, address) == 0 && next.Action(address) != core.NoOp {
		check.Equal(t, "what a plan says that buys nothing", tallyOf(next.Change(address).After), after)
	}
}

func tallyOf(object core.Object) int {
	count, _ := object["purchases"].(int64)
	return int(count)
}

func purchasedOf(service *acctest.Service, of acctest.Subject) (count int) {
	if of.Makes != mockserver.RouteBatch {
		return service.Count(of.Makes)
	}
	for _, entry := range service.Ledger().Entries {
		count += len(entry.Prompts)
	}
	return count
}

const tooLong = "Address Too Long for the State"

func inflate(value any) any {
	switch of := value.(type) {
	case map[string]any:
		for name, part := range of {
			of[name] = inflate(part)
		}
	case []any:
		for i, part := range of {
			of[i] = inflate(part)
		}
	case string:
		if strings.Contains(of, "/media/") {
			return "data:image/png;base64," + strings.Repeat("A", 1<<20)
		}
	}
	return value
}

var hasMedia = map[string]bool{
	"mediagen_face_image.x":            true,
	"mediagen_body_image.x":            true,
	"mediagen_generation_group.x":      true,
	"mediagen_image.x":                 true,
	"mediagen_assets":                  true,
	"mediagen_dataset_images":          true,
	"mediagen_generation":              true,
	"mediagen_generation_capabilities": true,
}

// Whole files as addresses: no gRPC message can carry a state that contains
// them. That they are left out is said once. Fault F25.
func TestStatesStaySmall(t *testing.T) {
	tier.Long(t, "states of 2,000 generations")
	t.Parallel()
	inflated := mockserver.Fault{Rewrite: func(reply map[string]any) { inflate(reply) }}
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for _, later := range []bool{false, true} {
			w := acctest.NewForSubjects(t).Scenario(t)
			w.Resource(address, of.With(nil))
			if later { // it is a refresh that shows them
				w.Resource(address, of.Config)
				w.Apply().Must()
				w.Clock.Advance(time.Hour)
			}
			w.Fault(inflated)
			said := w.Apply().Must().Diagnostics
			wantSmall(
				t,
				address,
				w.State(address),
				said.Find(tooLong),
				hasMedia[address] && (!later || of.Reads != nil),
			)
			plan := w.Plan().Must()
			plan.WantEmpty()
			check.True(t, "it is said once", len(plan.Diagnostics.Find(tooLong)) == 0, plan.Diagnostics)
		}
	})
	w := acctest.NewForSubjects(t).Scenario(t)
	w.AddBodyLoRA("ada")
	made := w.GenerateElsewhere("ada", "Theirs", "dawn").Generations[0].ID
	w.Clock.Advance(time.Hour)
	w.Fault(inflated)
	for name, config := range map[string]core.Object{
		"mediagen_assets": {"character_id": "ada"}, "mediagen_dataset_images": {"character_id": "ada"},
		"mediagen_generation": {"id": made}, "mediagen_generation_capabilities": {"character_id": "ada"},
	} {
		state, said := w.DataSource(name, config)
		wantSmall(t, name, state, said.Find(tooLong), hasMedia[name])
	}
}

func wantSmall(t *testing.T, name string, state core.Object, said core.Diagnostics, lacks bool) {
	t.Helper()
	text, err := json.Marshal(state)
	if err != nil || len(text) > 20<<10 {
		t.Fatalf("%s: the state has %d bytes (%v)", name, len(text), err)
	}
	omitted := strings.Contains(string(text), `"omitted:image/png;size=1048598;sha256=`)
	check.True(t, name, omitted == lacks && (len(said) == 1) == lacks, omitted, lacks, said)
}
