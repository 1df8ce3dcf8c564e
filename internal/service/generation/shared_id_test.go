package generation_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// names makes the reply to the next batch name these generations, in the order
// of its prompts; "" stays as it is.
func (s scenario) names(ids ...string) {
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
		results, _ := reply["results"].([]any)
		for i, id := range ids {
			entry, _ := results[i].(map[string]any)
			if id != "" {
				entry["generation_id"] = id
			}
		}
	}})
}

// asked are the ids that requests of a route were about.
func (s scenario) asked(route string) []string {
	ids := []string{}
	for _, request := range s.Requests(route) {
		ids = append(ids, path.Base(request.Path))
	}
	slices.Sort(ids) // statuses are read side by side
	return ids
}

func (s scenario) wantDeleted(ids ...string) {
	s.T.Helper()
	check.Equal(s.T, "deleted one by one", s.asked(mockserver.RouteDelete), append([]string{}, ids...))
}

const (
	first, second, third = "gen_000001", "gen_000002", "gen_000003"
	shared, ambiguous    = "Equal Prompts Share a Generation", "Different Prompts Were Given One Generation"
)

// A service may retry a failed prompt under its id.
// Fault F14.
func TestGroup_failedPromptIsTakenUpAgainUnderItsID(t *testing.T) {
	t.Parallel()
	for _, succeeds := range []bool{true, false} {
		t.Run(fmt.Sprint("succeeds: ", succeeds), func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.FailPrompt("A", "out of memory")
			s.applies(map[string]string{"a": "A", "b": "B"})
			if succeeds {
				s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: func(reply map[string]any) {
					reply["status"] = "completed"
					reply["error"] = nil
					reply["result_urls"] = []any{"https://cdn.example/" + reply["generation_id"].(string)}
				}})
			}
			s.names(first)
			// The state has to say that the generation failed for there to be a
			// retry.
			s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"max_attempts": 2, "refresh_finished": false})
			plan := s.Plan(core.Refresh(false)).Must()
			check.Equal(t, "announced", plan.UnknownIDs(groupAddress), []string{`generations["a"]`})
			result := s.ApplyPlan(plan).Must()
			check.True(
				t,
				"it is not its own former generation",
				!strings.Contains(result.Diagnostics.String(), "former generation"),
				result.Diagnostics,
			)
			s.Want(
				groupAddress,
				core.Object{
					`generations["a"].id`:        first,
					`generations["a"].succeeded`: succeeds,
					`generations["a"].attempts`:  2,
				},
			)
			s.wantDeleted()
			s.Plan().Must().WantEmpty()
			s.group(map[string]string{"a": "A2", "b": "B"})
			s.ClearFaults()
			s.FailPrompt("A", "")
			s.buys([]string{`generations["a"]`}, 1)
			s.Plan().Must().WantEmpty()
			s.wantDeleted(first)
			s.Destroy().Must()
		})
	}
}

// sharing is a scenario with a group of which the keys a and b share the first
// generation, and c has the third.
func sharing(t *testing.T, more ...core.Object) scenario {
	t.Helper()
	s := newScenario(t)
	s.names(first, first)
	result := s.applies(map[string]string{"a": "P", "b": "P", "c": "C"}, more...)
	s.WantWarning(result.Diagnostics, shared, first, `"a", "b"`)
	s.Want(
		groupAddress,
		core.Object{
			`generations["a"].id`: first,
			`generations["b"].id`: first,
			`generations["c"].id`: third,
			"succeeded_count":     3,
		},
	)
	s.Want(
		groupAddress,
		core.Object{`result_urls["b"]`: s.Value(groupAddress, `result_urls["a"]`), `generations["b"].succeeded`: true},
	)
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	check.Equal(t, "asked by a refresh", s.asked(mockserver.RouteStatus), []string{first, third})
	return s
}

// Equal prompts that share a generation keep it until the last of them goes.
// Only a generation that no key holds is superseded.
// Fault F14.
func TestGroup_equalPromptsShareAGeneration(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(t *testing.T, s scenario){
		"one after the other goes": func(_ *testing.T, s scenario) {
			s.WantSilent(s.plans(map[string]string{"b": "P", "c": "C"}).Diagnostics, "Media Will Be Deleted")
			s.buys(nil, 0)
			s.wantDeleted()
			s.Plan().Must().WantEmpty()
			s.WantWarning(s.plans(map[string]string{"c": "C"}).Diagnostics, "Media Will Be Deleted")
			s.buys(nil, 0)
			s.wantDeleted(first)
		},
		"both go": func(_ *testing.T, s scenario) {
			s.group(map[string]string{"c": "C"})
			s.buys(nil, 0)
			s.wantDeleted(first)
		},
		"one changes, the other goes": func(_ *testing.T, s scenario) {
			s.group(map[string]string{"a": "P", "b": "P2", "c": "C"})
			s.buys([]string{`generations["b"]`}, 1)
			s.wantDeleted()
			s.Want(groupAddress, core.Object{`generations["a"].id`: first, `generations["a"].succeeded`: true})
			s.Plan().Must().WantEmpty()
			s.group(map[string]string{"b": "P2", "c": "C"})
			s.buys(nil, 0)
			s.wantDeleted(first)
		},
		"one changes and fails, the other goes": func(_ *testing.T, s scenario) {
			s.FailPrompt("worse", "no face found")
			s.group(map[string]string{"b": "worse", "c": "C"})
			s.buys([]string{`generations["b"]`}, 1)
			s.wantDeleted()
			s.Plan().Must().WantEmpty()
			s.group(map[string]string{"b": "better", "c": "C"})
			s.buys([]string{`generations["b"]`}, 1)
			s.wantDeleted(first, "gen_000004")
		},
		"both change": func(_ *testing.T, s scenario) {
			s.group(map[string]string{"a": "P1", "b": "P2", "c": "C"})
			s.buys([]string{`generations["a"]`, `generations["b"]`}, 2)
			s.wantDeleted(first)
		},
		"renamed": func(_ *testing.T, s scenario) {
			s.group(map[string]string{"x": "P", "b": "P", "c": "C"})
			s.buys(nil, 0)
			s.Want(groupAddress, core.Object{`generations["x"].id`: first})
			s.wantDeleted()
		},
		"deleted behind the back": func(_ *testing.T, s scenario) {
			s.DeleteGenerationBehindTheBack(first)
			s.buys([]string{`generations["a"]`, `generations["b"]`}, 2)
		},
		"imported": func(_ *testing.T, s scenario) {
			pairs := []any{"a=" + first, "b=" + first, "c=" + third}
			s.Forget(groupAddress)
			s.ImportIdentity(groupAddress, core.Object{"generations": pairs}).Must()
			check.Equal[any](s.T, "identity", s.Identity(groupAddress)["generations"], pairs)
			s.Apply().Must()
			s.Want(groupAddress, core.Object{"succeeded_count": 3, `prompts["b"].prompt`: "P"})
			s.wantDeleted()
		},
		"it cannot be deleted at first": func(_ *testing.T, s scenario) {
			s.group(map[string]string{"c": "C"})
			s.Fault(mockserver.Fault{Route: mockserver.RouteDelete, Nth: 1, Status: 501})
			check.Equal(s.T, "errors", len(s.Apply().Diagnostics.Errors()), 1)
			s.buys(nil, 0)
			s.wantDeleted(first, first)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sharing(t)
			s.T = t
			test(t, s)
			s.Plan().Must().WantEmpty()
			s.Destroy().Must()
			if name != "imported" { // which leaves what no reply had named
				s.wantNoMedia()
			}
		})
	}
}

// A shared generation is deleted and awaited once.
func TestGroup_sharedGenerationIsCountedOnce(t *testing.T) {
	t.Parallel()
	s := sharing(t)
	plan := s.Plan(core.Destroying()).Must()
	s.WantWarning(
		plan.Diagnostics,
		"Media Will Be Deleted",
		"A moved block keeps what was only renamed.",
		"deletes 2 generations and all media (known: 2 results)",
	)
	s.Fault(
		mockserver.Fault{
			Route:  mockserver.RouteDeleteGroup,
			Nth:    1,
			Status: 200,
			Body:   `{"success":true,"deleted_generations":0}`,
		},
	)
	s.ApplyPlan(plan).Must()
	s.wantDeleted(first, third)
}

func TestGroup_waitAsksOnceForASharedGeneration(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	s.names("", first)
	s.applies(map[string]string{"a": "P", "b": "P"})
	check.Equal(t, "asked", s.asked(mockserver.RouteStatus), []string{first})
	s.Plan().Must().WantEmpty()
}

// Keys that share a generation are not given another by a prompt that a status
// repeats: they would hold different ones.
func TestGroup_sharedGenerationIsNotExchanged(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.Variant.PromptIndexBase = -1 })
	s.names(first, first)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: func(reply map[string]any) {
		reply["prompt"] = map[string]string{first: "Q", third: "P"}[reply["generation_id"].(string)]
	}})
	s.applies(map[string]string{"a": "P", "b": "P", "c": "Q"})
	s.Plan().Must().WantEmpty()
	s.Want(
		groupAddress,
		core.Object{
			`generations["a"].id`: first,
			`generations["b"].id`: first,
			`generations["c"].id`: third,
			"succeeded_count":     3,
		},
	)
	s.wantDeleted()
}

// The keys may be of several batches, and a retry may return one id for all.
func TestGroup_equalPromptsOfSeveralBatchesShareAGeneration(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.FailPrompt("P", "out of memory")
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Rewrite: func(reply map[string]any) {
		reply["results"].([]any)[0].(map[string]any)["generation_id"] = first
	}})
	s.WantWarning(
		s.applies(map[string]string{"a": "P", "b": "P"}, core.Object{"max_prompts_per_batch": 1}).Diagnostics,
		shared,
		first,
		`"a", "b"`,
	)
	s.Want(groupAddress, core.Object{"failed_count": 2, `generations["a"].id`: first, `generations["b"].id`: first})
	s.ClearFaults()
	s.FailPrompt("P", "")
	s.names(third, third)
	s.group(map[string]string{"a": "P", "b": "P"}, core.Object{"max_attempts": 2})
	s.buys([]string{`generations["a"]`, `generations["b"]`}, 2)
	s.wantDeleted(first)
	s.Plan().Must().WantEmpty()
}

// Of different prompts with one generation nobody knows whose it is.
// Fault F14.
func TestGroup_differentPromptsWithOneGenerationAreUnknown(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(s scenario){
		"destroyed": func(scenario) {},
		"one goes, then the other": func(s scenario) {
			s.group(map[string]string{"b": "B", "c": "C"})
			s.buys(nil, 0)
			s.wantDeleted()
			s.Plan().Must().WantEmpty()
			s.WantWarning(s.plans(map[string]string{"c": "C"}).Diagnostics, "Media Will Be Deleted", `"b"`)
			s.buys(nil, 0)
			s.wantDeleted(first)
		},
		"one is bought again, then the other": func(s scenario) {
			s.group(map[string]string{"a": "A2", "b": "B", "c": "C"})
			s.buys([]string{`generations["a"]`}, 1)
			s.wantDeleted()
			s.Plan().Must().WantEmpty()
			all := map[string]string{"a": "A2", "b": "B", "c": "C"}
			s.group(all, again(all, "b"))
			s.buys([]string{`generations["b"]`}, 1)
			s.wantDeleted(first)
		},
		"both are bought again": func(s scenario) {
			all := map[string]string{"a": "A", "b": "B", "c": "C"}
			s.group(all, again(all, "a", "b"))
			s.buys([]string{`generations["a"]`, `generations["b"]`}, 2)
			s.Want(groupAddress, core.Object{"succeeded_count": 3})
			s.wantDeleted(first)
		},
	}, func(t *testing.T, test func(s scenario)) {
		s := newScenario(t)
		s.names(first, first)
		said := s.applies(map[string]string{"a": "A", "b": "B", "c": "C"}).Diagnostics
		s.WantWarning(said, ambiguous, first, `"a", "b"`, "change its take")
		check.True(t, "the reply does name a generation", len(said.Find("Unconfirmed Prompts: group")) == 0, said)
		s.Want(
			groupAddress,
			core.Object{
				"unconfirmed_count":   2,
				"succeeded_count":     1,
				`generations["a"].id`: nil,
				`generations["b"].id`: nil,
				"credits_deducted":    3,
			},
		)
		check.Contains(t, "the error", fmt.Sprint(s.Value(groupAddress, `generations["b"].error`)), first)
		s.Plan().Must().WantEmpty()
		s.WantCount(t, mockserver.RouteBatch, 1)
		test(s)
		s.Plan().Must().WantEmpty()
		s.Destroy().Must()
		s.wantNoMedia()
	})
}

// A group without an id is deleted by its generations, and by those that may be
// its own. Fault F14.
func TestGroup_destroyDeletesWhatMayBeItsOwn(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
		delete(reply, "group_id")
		for _, entry := range reply["results"].([]any) {
			entry.(map[string]any)["generation_id"] = first
		}
	}})
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.Plan().Must().WantEmpty()
	s.Destroy().Must()
	s.wantDeleted(first)
}

// A key whose generation is known keeps it, whatever a later reply says.
func TestGroup_generationOfAnotherPromptIsNotTakenAway(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	s.names(first)
	s.group(map[string]string{"a": "A", "b": "B"})
	result := s.buys([]string{`generations["b"]`}, 1)
	s.WantWarning(result.Diagnostics, ambiguous, first)
	s.Want(
		groupAddress,
		core.Object{
			`generations["a"].id`:        first,
			`generations["a"].succeeded`: true,
			`generations["b"].id`:        nil,
			"unconfirmed_count":          1,
		},
	)
	s.Plan().Must().WantEmpty()
	s.group(map[string]string{"a": "A"})
	s.buys(nil, 0)
	s.wantDeleted()
	s.Plan().Must().WantEmpty()
}

// An id named again, for a prompt that does not exist, is in the state.
func TestGroup_generationThatIsNamedAgainIsNoSurplus(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
		reply["results"] = append(reply["results"].([]any), entry(7, map[string]any{"generation_id": first}))
	}})
	s.WantSilent(s.applies(map[string]string{"a": "A"}).Diagnostics, "Unrequested Generations in a Reply")
	s.Want(groupAddress, core.Object{`generations["a"].id`: first, "succeeded_count": 1})
	s.Plan().Must().WantEmpty()
}

// Whose of two keys a shared generation was is not known. If one is removed and
// the other bought anew, the plan names both: the generation is deleted for both.
// Fault F14.
func TestGroup_sharedGenerationOfARemovedKey(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.names(first, first)
	s.applies(map[string]string{"a": "A", "b": "B"})
	plan := s.plans(nil, again(map[string]string{"a": "A"}, "a"))
	s.WantWarning(plan.Diagnostics, "Media Will Be Deleted", `"a"`, `"b"`)
	s.ApplyPlan(plan).Must()
	s.wantDeleted(first)
}

// Nor is that of a batch before, of the same purchase.
func TestGroup_generationOfAnEarlierBatchIsNotTakenAway(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, About: `"B"`, Rewrite: func(reply map[string]any) {
		reply["results"].([]any)[0].(map[string]any)["generation_id"] = first
	}})
	s.WantWarning(
		s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"max_prompts_per_batch": 1}).Diagnostics,
		ambiguous,
		first,
	)
	s.Want(groupAddress, core.Object{`generations["a"].id`: first, `generations["b"].id`: nil, "unconfirmed_count": 1})
}
