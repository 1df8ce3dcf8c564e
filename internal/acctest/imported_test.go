package acctest_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type imported struct {
	*acctest.Scenario
	acctest.Subject
	address  string
	identity core.Object
	made     int
}

func newImported(t *testing.T, of acctest.Subject, address string) imported {
	t.Helper()
	s := acctest.NewForSubjects(t)
	w := s.Scenario(t)
	w.Resource(address, of.With(nil))
	w.Apply().Must()
	id := of.ImportID(w.State(address))
	m := imported{s.Scenario(t), of, address, w.Identity(address), s.Count(of.Makes)}
	m.Resource(address, of.With(nil))
	m.Import(address, id).Must()
	return m
}

func (m imported) wantIntact() {
	m.T.Helper()
	m.WantCount(m.T, m.Makes, m.made)
	m.WantCount(m.T, mockserver.RouteCancel, 0)
	deleted := m.Ledger().Deletions
	check.True(m.T, "nothing is deleted", len(deleted) == 0, deleted)
}

func (m imported) wantTakenOver() {
	m.T.Helper()
	before := m.Value(m.address, "id")
	plan := m.Plan().Must()
	check.True(
		m.T,
		"an update that makes nothing, and says so",
		plan.Action(m.address) == core.Update && len(plan.UnknownIDs(m.address)) == 0 &&
			strings.Contains(plan.Warnings().String(), "Taken Over"),
		plan,
	)
	m.ApplyPlan(plan).Must()
	m.Plan().Must().WantEmpty()
	m.Want(m.address, core.Object{"id": before})
	m.wantIntact()
	for name, edit := range m.Replaces { // now the import has ended
		m.Resource(m.address, m.With(edit))
		plan := m.Plan().Must()
		check.True(
			m.T,
			name+": a replacement",
			plan.Action(m.address) == core.Replace && len(plan.UnknownIDs(m.address)) != 0,
			plan,
		)
	}
}

func eachImport(t *testing.T, test func(t *testing.T, address string, of acctest.Subject)) {
	t.Helper()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		if of.ImportID != nil {
			test(t, address, of)
		}
	})
}

// Nothing but its own update ends an import, and nothing is made before.
// Fault F21. Fault F28.
func TestImportHoldsUntilItsOwnUpdate(t *testing.T) {
	t.Parallel()
	eachImport(t, func(t *testing.T, address string, of acctest.Subject) {
		for name, happen := range beforeOwnUpdate() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				m := newImported(t, of, address)
				happen(m.Scenario, address, of.With(nil))
				m.wantTakenOver()
			})
		}
	})
}

// An import by identity is the same. Applies without an update do not end an
// import: what comes later is taken over. Empty triggers are none. Fault F21.
func TestImportHoldsWhileThereIsNothingToUpdate(t *testing.T) {
	t.Parallel()
	schemas := acctest.Schemas(t).ResourceSchemas
	eachImport(t, func(t *testing.T, address string, of acctest.Subject) {
		m := newImported(t, of, address)
		state := m.State(address)
		required := core.Object{}
		m.Forget(address)
		m.ImportIdentity(address, m.identity).Must()
		diff := cmp.Diff(state, m.State(address), withoutSignatures)
		check.True(t, "by its identity it is the same", diff == "", diff)
		typeName, _, _ := strings.Cut(address, ".")
		for _, attribute := range schemas[typeName].Block.Attributes {
			if attribute.Required {
				required[attribute.Name] = of.Config[attribute.Name]
			}
		}
		if required["image_type"] != nil {
			return // no list tells it
		}
		for range 3 {
			m.Resource(address, required)
			m.Plan().Must().WantEmpty()
			m.Apply().Must()
		}
		m.Resource(address, of.With(nil))
		m.wantTakenOver()
		if of.Replaces["triggers"] != nil {
			newImported(t, of, address).writesEmptyTriggers(required, core.Update)
		}
	})
}

// writesEmptyTriggers writes empty triggers and takes them out again. The state of an
// import has none, which is why the first plan may store the empty ones.
func (m imported) writesEmptyTriggers(config core.Object, first core.Action) {
	m.T.Helper()
	written := maps.Clone(config)
	written["triggers"] = core.Object{}
	m.Resource(m.address, written)
	plan := m.Plan().Must()
	check.True(
		m.T,
		"no purchase and no warning",
		plan.Action(m.address) == first && len(plan.UnknownIDs(m.address)) == 0 && len(plan.Warnings()) == 0,
		plan,
	)
	m.ApplyPlan(plan).Must()
	m.Plan().Must().WantEmpty()
	written = maps.Clone(config)
	written["triggers"] = nil
	m.Resource(m.address, written)
	m.Plan().Must().WantEmpty()
	m.wantIntact()
}

// Null and empty triggers are equal, and any other change of triggers replaces.
func TestEmptyTriggersAreNone(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		if of.Replaces["triggers"] == nil {
			return
		}
		w := acctest.NewForSubjects(t).Scenario(t)
		none := []any{nil, core.Object{}}
		some := core.Object{"round": "1"}
		replaces := func(triggers any) {
			w.Resource(address, of.With(core.Object{"triggers": triggers}))
			plan := w.Plan().Must()
			check.True(
				t,
				"a replacement",
				plan.Action(address) == core.Replace && len(plan.UnknownIDs(address)) != 0,
				triggers,
				plan,
			)
		}
		w.Resource(address, of.With(core.Object{"triggers": nil}))
		w.Apply().Must()
		imported{w, of, address, nil, 1}.writesEmptyTriggers(of.With(nil), core.NoOp)
		replaces(some)
		w = acctest.NewForSubjects(t).Scenario(t)
		w.Resource(address, of.With(core.Object{"triggers": some}))
		w.Apply().Must()
		for _, triggers := range none {
			replaces(triggers)
		}
	})
}

// What ends with the character is made anew, once a read has shown it. For what
// is bought the plan says that there is no character.
func TestDisappeared(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		if !slices.ContainsFunc(of.Reads, func(read string) bool { return read != "generations" }) ||
			of.Config["character_id"] == nil {
			return
		}
		for _, shown := range []bool{true, false} {
			w := acctest.NewForSubjects(t).Scenario(t)
			w.Resource(address, of.Config)
			w.Apply().Must()
			if shown {
				w.Refresh().Must()
			}
			w.RemoveCharacter("ada")
			plan := w.Plan()
			refused := len(plan.Diagnostics.Errors().Find("Character Not Found")) == 1 // it is bought
			check.True(
				t,
				"what was shown is made anew, or the plan says that it cannot be",
				!shown || refused || plan.Action(address) == core.Create,
				plan,
			)
		}
	})
}

// beforeOwnUpdate is what may happen between the import of a resource and its
// own first update. Each runs commands that do not get to that update, which the
// configuration needs.
func beforeOwnUpdate() map[string]func(s *acctest.Scenario, address string, config core.Object) {
	const other = "mediagen_character.other"
	// after makes the resource wait for a change of a character, and disturbs
	// that change.
	after := func(disturb func(*acctest.Scenario)) func(*acctest.Scenario, string, core.Object) {
		return func(s *acctest.Scenario, address string, config core.Object) {
			s.Remove(address)
			id := s.AddCharacter(mockserver.CharacterSeed{Name: "Other"})
			s.Resource(other, core.Object{"id": id, "name": "Another"})
			s.Resource(address, config, core.DependsOn(other))
			before := s.State(address)
			for range 2 {
				disturb(s)
				result := s.Apply()
				s.ClearFaults()
				if !result.Diagnostics.HasErrors() || len(result.Changed) > 0 {
					s.T.Fatalf(
						"want an apply that changes nothing, changed %q:\n%s",
						result.Changed,
						result.Diagnostics,
					)
				}
			}
			if now := s.State(address); !reflect.DeepEqual(now, before) {
				s.T.Errorf("%s is %v, was %v", address, now, before)
			}
			s.Remove(other)
			s.Forget(other)
		}
	}
	return map[string]func(*acctest.Scenario, string, core.Object){
		"nothing": func(*acctest.Scenario, string, core.Object) {},
		"refresh-only applies": func(s *acctest.Scenario, _ string, _ core.Object) {
			for range 3 {
				s.Refresh().Must()
				s.Plan().Must() // which is not applied
			}
		},
		"applies that fail elsewhere": after(func(s *acctest.Scenario) {
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteUpdate,
				Status: 422,
				Body:   `{"error":"refused"}`,
			})
		}),
		"Ctrl-C before its turn": after(func(s *acctest.Scenario) {
			s.Before(mockserver.RouteUpdate, s.Interrupt)
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteUpdate,
				Status: 422,
				Body:   `{"error":"refused"}`,
			})
		}),
	}
}
