package generation_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const willDelete = "Media Will Be Deleted"

func byTitle(o *mockserver.Options) { o.Variant.GroupsByTitle = true }

// standing are the prompts whose generations are at the service.
func standing(s *acctest.Service) (prompts []string) {
	for _, group := range s.Groups() {
		for _, generation := range group.Generations {
			prompts = append(prompts, generation.Prompt)
		}
	}
	slices.Sort(prompts)
	return prompts
}

func (s scenario) wantStanding(prompts ...string) {
	s.T.Helper()
	check.Equal(s.T, "prompts at the service", standing(s.Service), prompts)
}

// An imported group was not made by the resource: only what its state holds is
// deleted. Here two resources have imported two and one of its five
// generations. Fault F20.
func TestDestroy_ofAGroupImportedInParts(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"})
	a := s.idOf("a")
	b := s.idOf("b")
	c := s.idOf("c")
	s.Forget(groupAddress)
	s.group(map[string]string{"a": "A", "b": "B"})
	s.Import(groupAddress, fmt.Sprintf(`{"a":%q,"b":%q}`, a, b)).Must()
	s.other(map[string]string{"c": "C"})
	s.Import(otherAddress, fmt.Sprintf(`{"c":%q}`, c)).Must()
	s.Apply().Must()
	s.Plan().Must().WantEmpty()
	s.ResetJournal()

	s.Remove(otherAddress)
	plan := s.Plan().Must()
	group := s.Groups()[0].ID
	s.WantWarning(
		plan.Diagnostics,
		willDelete,
		"1 generation ",
		fmt.Sprintf("The group %q stays, maybe empty", group),
		"another resource of this run holds",
	)
	s.ApplyPlan(plan).Must()
	s.wantStanding("A", "B", "D", "E")
	s.WantCount(t, mockserver.RouteDelete, 1)
	s.WantCount(t, mockserver.RouteDeleteGroup, 0)
	s.Plan().Must().WantEmpty()
	s.Destroy().Must()
	s.wantStanding("D", "E")
	s.WantCount(t, mockserver.RouteDeleteGroup, 0)
}

// Alone too, an imported group is deleted one by one, and the plan says why.
// Fault F20.
func TestDestroy_ofAnImportedGroup(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(map[string]string{"a": "A", "b": "B"})
	s.Import(groupAddress, importID(ids)).Must()
	s.WantWarning(s.Plan(core.Destroying()).Must().Diagnostics, willDelete, "stays, maybe empty", "imported")
	s.Destroy().Must()
	s.wantStanding()
	s.WantCount(t, mockserver.RouteDelete, 2)
	s.WantCount(t, mockserver.RouteDeleteGroup, 0)
}

// A service that goes by title gives two resources one group. Whichever of them
// is removed, the media of the other stay.
// Fault F20.
func TestDestroy_ofAGroupSharedByTitle(t *testing.T) {
	t.Parallel()
	type row struct {
		removed string
		left    []string
	}
	check.Each(t, map[string]row{
		"the first":  {groupAddress, []string{"C"}},
		"the second": {otherAddress, []string{"A", "B"}},
	}, func(t *testing.T, test row) {
		s := newScenario(t, byTitle)
		s.group(map[string]string{"a": "A", "b": "B"})
		s.other(map[string]string{"c": "C"})
		s.Apply().Must()
		check.Equal(t, "groups", len(s.Groups()), 1)
		s.Remove(test.removed)
		plan := s.Plan().Must()
		s.WantWarning(plan.Diagnostics, willDelete, "stays, maybe empty", "another resource of this run holds")
		s.ApplyPlan(plan).Must()
		s.wantStanding(test.left...)
		s.Plan().Must().WantEmpty()
		s.Destroy().Must()
		s.wantStanding()
	})
}

// Both resources are read at the same time: each counts the holders again after
// its reads, so that the first knows of the second.
// Fault F20.
func TestDestroy_countsHoldersAfterTheReadsToo(t *testing.T) {
	t.Parallel()
	s := newScenario(t, byTitle)
	s.group(map[string]string{"a": "A"})
	s.other(map[string]string{"b": "B"})
	s.Apply().Must()
	both := make(chan struct{})
	s.Before(mockserver.RouteStatus, func() { <-both })
	s.Before(mockserver.RouteStatus, func() { close(both) })
	s.Parallel(2)
	plan := s.plans(map[string]string{"a": "A"}, core.Object{"character_id": nil})
	s.Parallel(1)
	s.WantWarning(plan.Diagnostics, willDelete, "another resource of this run holds")
	s.ApplyPlan(plan).Must()
	s.wantStanding("A", "B")
}

// Whoever is planned to be destroyed before the other is read cannot know of it:
// the other refuses the plan.
// Fault F20.
func TestDestroy_isRefusedByAnotherHolder(t *testing.T) {
	t.Parallel()
	s := newScenario(t, byTitle)
	s.group(map[string]string{"a": "A"})
	s.other(map[string]string{"b": "B"})
	s.Apply().Must()
	refused := func(report *core.Result) {
		t.Helper()
		s.WantError(
			report.Diagnostics,
			"Media of Another Resource Would Be Deleted",
			"1 generation of this resource",
			"terraform state rm",
		)
		s.wantStanding("A", "B")
	}
	refused(s.Apply(core.Replacing(groupAddress)))
	s.group(map[string]string{"a": "A"}, core.Object{"character_id": nil})
	refused(s.Apply())
	s.plans(map[string]string{"a": "A"}).WantEmpty()
	s.Destroy().Must()
	s.wantStanding()
}

// Under create_before_destroy the same service puts the new batch into the
// group of the old one. Fault F20.
func TestReplace_leavesTheNewBatchOfTheSameGroup(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]bool{"at once": false, "by a later apply": true}, func(t *testing.T, breakOff bool) {
		s := newScenario(t, byTitle)
		s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Bob"})
		config := core.Object{
			"character_id": "ch_1",
			"title":        "Portraits",
			"prompts":      texts(map[string]string{"a": "A", "b": "B"}),
		}
		s.Applies(groupAddress, config, core.CreateBeforeDestroy())
		config["character_id"] = "ch_2"
		config["prompts"] = texts(map[string]string{"a": "A2"})
		s.Resource(groupAddress, config, core.CreateBeforeDestroy())
		if breakOff {
			s.Fault(mockserver.Fault{
				Route:   mockserver.RouteStatus,
				After:   mockserver.RouteBatch,
				Nth:     1,
				Reached: s.Interrupt,
			})
		}
		s.Apply()
		s.ClearFaults()
		check.True(t, "one object is deposed", !breakOff || s.Deposed(groupAddress) == 1, s.Deposed(groupAddress))
		s.Apply().Must()
		s.wantStanding("A2")
		s.WantCount(t, mockserver.RouteDelete, 2)
		s.WantCount(t, mockserver.RouteDeleteGroup, 0)
		s.Plan().Must().WantEmpty()
		s.Destroy().Must()
		s.wantStanding()
	})
}

// A generation that two resources hold goes with neither while the other stays.
// Fault F20.
func TestDestroy_keepsAGenerationOfAnotherResource(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(map[string]string{"a": "A", "b": "B"})
	s.Import(groupAddress, importID(ids)).Must()
	s.other(map[string]string{"b": "B"})
	s.Import(otherAddress, fmt.Sprintf(`{"b":%q}`, ids["b"])).Must()
	s.Apply().Must()
	s.ResetJournal()
	s.Remove(groupAddress)
	plan := s.Plan().Must()
	s.WantWarning(plan.Diagnostics, willDelete, "1 generation ", ids["b"])
	s.ApplyPlan(plan).Must()
	s.wantDeleted(ids["a"])
	s.wantStanding("B")
	s.Plan().Must().WantEmpty()
}

// What two resources came to share is deleted with the last that holds it: of
// one destroy, or, where a log tells of the first, of a later one. Fault F39.
func TestDestroy_deletesWithTheLastHolder(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(s scenario){
		"at once": func(s scenario) { s.Destroy().Must() },
		"one after the other": func(s scenario) {
			s.Remove(groupAddress)
			s.Apply().Must()
			s.wantStanding("B")
			s.Plan().Must().WantEmpty()
			s.Destroy().Must()
		},
	}, func(t *testing.T, destroy func(s scenario)) {
		s, ids := madeByHand(t)
		s.Set(core.Object{"purchase_log": filepath.Join(t.TempDir(), "log")})
		s.group(map[string]string{"a": "A", "b": "B"})
		s.Import(groupAddress, importID(ids)).Must()
		s.other(map[string]string{"b": "B"})
		s.Import(otherAddress, fmt.Sprintf(`{"b":%q}`, ids["b"])).Must()
		s.Apply().Must()
		s.Apply().Must()
		destroy(s)
		s.wantStanding()
		s.wantNoMedia()
	})
}

// That a run does not see a resource, as with -target, proves nothing: what it
// was seen to hold stays. Fault F20.
func TestDestroy_keepsWhatAnUnseenHolderHas(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.Set(core.Object{"purchase_log": filepath.Join(t.TempDir(), "log")})
	s.group(map[string]string{"a": "A", "b": "B"})
	s.Import(groupAddress, importID(ids)).Must()
	s.other(map[string]string{"b": "B"})
	s.Import(otherAddress, fmt.Sprintf(`{"b":%q}`, ids["b"])).Must()
	s.Apply().Must()
	s.Apply().Must()
	s.Forget(groupAddress)
	s.Remove(groupAddress)
	s.Destroy().Must()
	s.wantStanding("A", "B")
}

// One by one too, generations are not deleted with a resource that was planned
// before another that holds one was read. Fault F20.
func TestDestroy_ofAnImportIsRefusedByAnotherHolder(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(map[string]string{"a": "A", "b": "B"})
	s.Import(groupAddress, importID(ids)).Must()
	s.Apply().Must()
	s.other(map[string]string{"b": "B"})
	s.Import(otherAddress, fmt.Sprintf(`{"b":%q}`, ids["b"])).Must()
	s.Remove(groupAddress)
	s.WantError(s.Apply(core.Reversed()).Diagnostics, "Media of Another Resource Would Be Deleted", ids["b"])
	s.Apply().Must()
	s.wantDeleted(ids["a"])
}

// The whole group goes with what is in it: the plan says what it cannot see,
// and the apply what was not in the state.
// Fault F20.
func TestDestroy_namesOtherGenerations(t *testing.T) {
	t.Parallel()
	s := newScenario(t, byTitle)
	log := filepath.Join(t.TempDir(), "log")
	s.Set(core.Object{"purchase_log": log})
	s.applies(map[string]string{"a": "A"})
	elsewhere := scenario{s.Service.Scenario(t)}
	elsewhere.applies(map[string]string{"z": "Z"})
	stranger, _ := elsewhere.Value(groupAddress, `generations["z"].id`).(string)
	plan := s.Plan(core.Destroying()).Must()
	s.WantWarning(plan.Diagnostics, willDelete, "all else", "other states", "aliases", "-target", "-refresh=false")
	result := s.ApplyPlan(plan).Must()
	s.WantWarning(result.Diagnostics, "Other Generations Were Deleted", stranger)
	check.Equal[any](t, "other_ids", booked(t, log, 1)[0]["other_ids"], []any{stranger})
}

// What was deleted leaves the state, also if the rest was not deleted in time:
// the next destroy goes on where this one ended.
// Fault F8.
func TestDestroy_goesOnWhereItEnded(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(s scenario){
		"time": func(s scenario) {
			s.Set(core.Object{"max_requests_per_minute": 6})
		},
		"Ctrl-C": func(s scenario) {
			for _, key := range []string{"c", "e"} { // in the first destroy, and in the second
				id := s.Value(groupAddress, fmt.Sprintf("generations[%q].id", key)).(string)
				s.Fault(mockserver.Fault{Route: mockserver.RouteDelete, About: id, Times: 1, Reached: s.Interrupt})
			}
		},
	}, func(t *testing.T, breakOff func(s scenario)) {
		s := newScenario(t)
		prompts := map[string]string{}
		pairs := []string{}
		for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
			prompts[key] = strings.ToUpper(key)
		}
		s.applies(prompts)
		for key := range prompts {
			pairs = append(
				pairs,
				fmt.Sprintf("%q:%q", key, s.Value(groupAddress, fmt.Sprintf("generations[%q].id", key))),
			)
		}
		s.Forget(groupAddress)
		s.group(prompts, core.Object{"timeouts": core.Object{"delete": "25s"}})
		s.Import(groupAddress, "{"+strings.Join(pairs, ",")+"}").Must()
		s.Apply().Must()
		breakOff(s)
		held := 6
		for run := range 4 {
			s.ResetJournal()
			result := s.Destroy()
			if s.State(groupAddress) == nil {
				break
			}
			left, _ := s.Value(groupAddress, "generations").(core.Object)
			if run == 0 {
				s.WantError(result.Diagnostics, "Unable to Delete Generation Group", "generations were not reached")
			}
			if len(left) >= held || run == 3 {
				t.Fatalf("destroy %d leaves %d generations in the state:\n%s", run+1, len(left), result.Diagnostics)
			}
			held = len(left)
			check.True(t, "the state has all that stands", len(standing(s.Service)) <= held, held)
		}
		s.wantStanding()
		s.wantNoMedia()
	})
}

// What a group's deletion has deleted leaves the state too, even if something
// else of the group cannot be deleted.
// Fault F8.
func TestDestroy_keepsOnlyWhatStands(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	id, _ := s.Value(groupAddress, `generations["a"].id`).(string)
	s.StickGeneration(id, 3)
	s.WantError(s.Destroy().Diagnostics, "Unable to Delete Generation Group", id)
	s.Want(groupAddress, core.Object{`generations["a"].id`: id, `generations["b"].id`: nil})
	s.Destroy().Must()
	s.wantStanding()
	s.wantNoMedia()
}

// A list may lag behind what another resource of the run is buying: while that
// one holds the group, it does not go as a whole. Fault F20.
func TestExtendedReads_destroyBesideAnotherHolder(t *testing.T) {
	t.Parallel()
	s := newExtended(t, byTitle)
	s.other(map[string]string{"b": "B"})
	s.applies(map[string]string{"a": "A"})
	own := s.idOf("a")
	s.other(map[string]string{"b": "B", "c": "C"})
	s.group(map[string]string{"a": "A"}, core.Object{"character_id": nil})
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Rewrite: func(reply map[string]any) {
		shown := slices.DeleteFunc(
			reply["generations"].([]any),
			func(generation any) bool { return generation.(map[string]any)["generation_id"] != own },
		)
		reply["generations"] = shown
		reply["generation_count"] = len(shown)
		reply["pagination"].(map[string]any)["returned"] = len(shown)
	}})
	s.Apply().Must()
	s.WantCount(t, mockserver.RouteDeleteGroup, 0)
	s.wantStanding("A", "B", "C")
}

// A service that goes by title may add to an imported group without having told
// that it was imported of that one: it is not made for the batch.
// Fault F20.
func TestDestroy_ofAnImportIntoWhoseGroupABatchWent(t *testing.T) {
	t.Parallel()
	s := newScenario(t, byTitle)
	made := s.GenerateElsewhere("ch_1", "Portraits", "A", "B")
	s.Clock.Advance(time.Hour)
	s.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteStatus,
			Times:   100,
			Rewrite: func(reply map[string]any) { delete(reply, "group_id") },
		},
	)
	s.group(map[string]string{"a": "A"})
	s.Import(groupAddress, fmt.Sprintf(`{"a":%q}`, made.Generations[0].ID)).Must()
	s.Apply().Must()
	s.applies(map[string]string{"a": "A", "c": "C"})
	s.Want(groupAddress, core.Object{"id": made.ID})
	s.Destroy().Must()
	s.wantStanding("B")
}

// What another resource holds stays too when its key is removed, or is bought
// anew. A plan that cannot know of the other is refused, by whichever comes
// second. Fault F20.
func TestUpdate_leavesAGenerationOfAnotherResource(t *testing.T) {
	t.Parallel()
	for name, prompts := range map[string]any{
		"removed": texts(map[string]string{"a": "A"}), "changed": texts(map[string]string{"a": "A", "b": "B2"}),
		"not known yet": core.UnknownUntilApply(texts(map[string]string{"a": "A"})),
	} {
		for order, options := range map[string][]core.PlanOption{
			"read first": {core.Reversed()}, "read last": nil, "planned first": {core.Reversed(), core.Refresh(false)},
			"planned last": {core.Refresh(false)},
		} {
			t.Run(name+", the other "+order, func(t *testing.T) {
				t.Parallel()
				s := applied(t, map[string]string{"a": "A", "b": "B"})
				id := s.idOf("b")
				s.other(map[string]string{"b": "B"})
				s.Import(otherAddress, fmt.Sprintf(`{"b":%q}`, id)).Must()
				s.Resource(groupAddress, core.Object{"character_id": "ch_1", "prompts": prompts})
				result := s.Apply(options...)
				if order == "read first" {
					result.Must()
				} else {
					s.WantError(result.Diagnostics, "Media of Another Resource Would Be Deleted", id, "depends_on")
					s.Apply(core.Reversed()).Must()
				}
				s.WantCount(t, mockserver.RouteDelete, 0)
				s.Plan().Must().WantEmpty()
			})
		}
	}
}

// Nor does a group lose what it holds that the plan leaves to a later one.
// Fault F20.
func TestDeferredGroup_holdsItsGenerations(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	id := s.idOf("b")
	s.other(nil, core.Object{"prompts": core.UnknownUntilApply(texts(map[string]string{"b": "B"}))})
	s.Import(otherAddress, fmt.Sprintf(`{"b":%q}`, id)).Must()
	s.Remove(groupAddress)
	options := []core.PlanOption{core.Deferring(), core.Refresh(false)}
	s.WantError(s.Plan(append(options, core.Reversed())...).Diagnostics, "Media of Another Resource Would Be Deleted")
	plan := s.Plan(options...).Must()
	check.True(t, "it is deferred", plan.Deferred[otherAddress] != nil, plan.Deferred)
	s.ApplyPlan(plan).Must()
	s.wantStanding("B")
}
