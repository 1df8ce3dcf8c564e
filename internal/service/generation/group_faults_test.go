package generation_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A status of success may come before the addresses of the results, which must
// not cause a change after the apply; or they may never come.
func TestGroup_resultsComeLaterThanTheirWord(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ withheld, reads int64 }{
		"later": {2, 3},
		"never": {1000, 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			var seen atomic.Int64
			s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: func(reply map[string]any) {
				if reply["status"] == "completed" && seen.Add(1) <= test.withheld {
					reply["result_urls"] = []any{}
				}
			}})
			s.applies(map[string]string{"a": "A"})
			s.Want(groupAddress, core.Object{"complete": true, `generations["a"].succeeded`: true})
			check.Equal(
				t,
				"there are results",
				!cmp.Equal(s.Value(groupAddress, `result_urls["a"]`), []any{}),
				(name == "later"),
			)
			check.True(t, "reads after the end", seen.Load() <= test.reads, seen.Load())
			s.Plan().Must().WantEmpty()
		})
	}
}

// Old media are all that there is until the results of the new ones are shown: a
// word of success alone deletes nothing.
func TestGroup_keepsOldMediaUntilResultsAreShown(t *testing.T) {
	t.Parallel()
	for _, refresh := range []bool{true, false} {
		t.Run(fmt.Sprint("refresh_finished ", refresh), func(t *testing.T) {
			t.Parallel()
			s := applied(t, map[string]string{"a": "A", "b": "B"})
			s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: func(reply map[string]any) {
				reply["result_urls"] = []any{}
			}})
			s.applies(map[string]string{"a": "another", "b": "B"}, core.Object{"refresh_finished": refresh})
			s.Want(groupAddress, core.Object{"complete": true, `generations["a"].succeeded`: true})
			s.Plan().Must().WantEmpty()
			s.WantCount(t, mockserver.RouteDelete, 0)
			s.ClearFaults()
			plan := s.Plan().Must()
			check.Contains(
				t,
				"the plan",
				plan.Diagnostics.String(),
				`"a" was bought anew before, and the new ones have`,
			)
			s.Apply().Must()
			s.WantCount(t, mockserver.RouteDelete, 1)
			s.WantCount(t, mockserver.RouteBatch, 2)
			s.ResetJournal()
			s.Plan().Must().WantEmpty()
			s.WantCount(t, mockserver.RouteStatus, map[bool]int{true: 2, false: 0}[refresh])
		})
	}
}

// Ctrl-C while results are late: what was bought and has succeeded stays so.
func TestGroup_interruptedWhileResultsAreLate(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	withhold := func(reply map[string]any) { reply["result_urls"] = []any{} }
	s.Fault(mockserver.Fault{
		Route:   mockserver.RouteStatus,
		After:   mockserver.RouteBatch,
		Nth:     2,
		Reached: s.Interrupt,
		Rewrite: withhold,
	})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: withhold})
	s.group(map[string]string{"a": "A"})
	s.Apply()
	s.WantCount(t, mockserver.RouteStatus, 2)
	s.Want(groupAddress, core.Object{"complete": true, `generations["a"].succeeded`: true})
	check.True(t, "the group is not tainted", !s.Tainted(groupAddress))
	s.ClearFaults()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteBatch, 1)
}

// A batch that is refused is an error. A group that it may have made is left
// alone. Fault F5.
func TestGroup_noPromptAccepted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s scenario){
		"rejected": func(s scenario) { s.RejectPrompt("bad", "not allowed") },
		"success false": func(s scenario) {
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteBatch,
				Nth:    1,
				Status: 200,
				Body:   `{"success":false,"message":"no"}`,
			})
		},
		"400": func(s scenario) {
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteBatch,
				Nth:    1,
				Status: 400,
				Body:   `{"error":"bad","message":"no"}`,
			})
		},
		"402": func(s scenario) { s.SetBalance(0) },
		"422 on the prompts": func(s scenario) {
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteBatch,
				Nth:    1,
				Status: 422,
				Body:   `{"detail":[{"loc":["body","prompts",0,"prompt"],"msg":"too long"}]}`,
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			change(s)
			s.group(map[string]string{"a": "bad"})
			result := s.Apply()
			errs := result.Diagnostics.Errors()
			check.True(t, "one error, and no state", len(errs) == 1 && s.State(groupAddress) == nil, result.Diagnostics)
			check.Contains(t, "the error", errs.String(), "Submit Generation Batch")
			check.True(
				t,
				"the error is on the attribute",
				!strings.HasPrefix(name, "422") || len(errs.At("prompts")) == 1,
				errs,
			)
			s.wantUntouched(0, 0)
		})
	}
}

func TestGroup_refusedAdditionLeavesTheGroupAsItWas(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	s.RejectPrompt("bad", "not allowed")
	s.group(map[string]string{"a": "A", "b": "bad"})
	check.Equal(t, "errors", len(s.Apply().Diagnostics.Errors()), 1)
	s.Want(groupAddress, core.Object{"succeeded_count": int64(1), `generations["b"]`: nil})
	s.WantCount(t, mockserver.RouteDeleteGroup, 0)
	s.plans(map[string]string{"a": "A"}).WantEmpty()
}

// Fault F5.
func TestGroup_someRejectedAndSomeFailed(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.RejectPrompt("forbidden", "not allowed")
	s.FailPrompt("faulty", "out of memory")
	result := s.applies(map[string]string{"a": "A", "b": "forbidden", "c": "faulty"})
	check.True(t, "a warning", len(result.Diagnostics.Warnings().Find("Generations Failed")) == 1, result.Diagnostics)
	s.Want(groupAddress, core.Object{
		"succeeded_count": int64(1), "failed_count": int64(2), "complete": true,
		`generations["b"].id`: nil, `generations["b"].error`: "not allowed", `generations["c"].error`: "out of memory",
	})
	s.Plan().Must().WantEmpty()
	plan := s.plans(map[string]string{"a": "A", "b": "forbidden", "c": "faulty"}, core.Object{"max_attempts": int64(2)})
	check.Equal(t, "announced", plan.UnknownIDs(groupAddress), []string{`generations["b"]`, `generations["c"]`})
	s.ApplyPlan(plan).Must()
	s.Plan().Must().WantEmpty()
	s.Want(groupAddress, core.Object{`generations["b"].attempts`: int64(2), `generations["c"].attempts`: int64(2)})
}

// Results by an index whose base is not documented, out of order, with gaps.
// The prompt in the status decides.
// Fault F5.
func TestGroup_promptIndexBaseIsReadOffAndChecked(t *testing.T) {
	t.Parallel()
	shift := func(base int64, drop int64) func(map[string]any) {
		return func(reply map[string]any) {
			results, _ := reply["results"].([]any)
			var kept []any
			for _, one := range results {
				entry, _ := one.(map[string]any)
				index := number(entry["prompt_index"])
				if index == drop {
					continue
				}
				entry["prompt_index"] = index + base
				kept = append(kept, entry)
			}
			slices.Reverse(kept)
			reply["results"] = kept
		}
	}
	type row struct {
		rewrite func(map[string]any)
		missing string
	}
	check.Each(t, map[string]row{
		"from 0":                  {shift(0, -1), ""},
		"from 1":                  {shift(1, -1), ""},
		"from 0, the last is out": {shift(0, 2), "c"},
		"from 1, the last is out": {shift(1, 2), "c"},
		"from 1, the first out":   {shift(1, 0), "a"},
		"from 0, the first out":   {shift(0, 0), "a"},
	}, func(t *testing.T, test row) {
		for _, wait := range []bool{true, false} {
			s := newScenario(t)
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: test.rewrite})
			s.applies(map[string]string{"a": "A", "b": "B", "c": "C"}, core.Object{"wait_for_completion": wait})
			for key, text := range map[string]string{"a": "A", "b": "B", "c": "C"} {
				id, _ := s.Value(groupAddress, fmt.Sprintf("generations[%q].id", key)).(string)
				made, _ := s.Generation(id)
				if key == test.missing && id == "" {
					continue
				}
				check.True(t, "the generation is that of its prompt", made.Prompt == text, wait, key, made.Prompt)
			}
			s.Plan().Must().WantEmpty()
		}
	})
}

// A service may repeat a prompt with different case and white space, or
// truncated. It only decides whose a result is if the indices leave doubt, or
// if it cannot be the prompt that they point to. Fault F5.
func TestGroup_promptsAreRepeatedInOtherWords(t *testing.T) {
	t.Parallel()
	lower := func(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
	type row struct {
		prompts  map[string]string
		indices  bool
		repeated func(string) string
	}
	check.Each(t, map[string]row{
		"the words tell without indices": {
			map[string]string{"a": "Red  Light", "b": "Blue\tLight", "c": "Cat"},
			false,
			lower,
		},
		"indices tell what case cannot": {map[string]string{"a": "Cat", "b": "cat"}, true, lower},
		"indices tell what is cut off": {
			map[string]string{"a": "Portrait in red", "b": "Portrait"},
			true,
			func(text string) string { return text[:8] },
		},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
			results, _ := reply["results"].([]any)
			slices.Reverse(results)
			for _, one := range results {
				entry, _ := one.(map[string]any)
				if !test.indices {
					delete(entry, "prompt_index")
				}
			}
		}})
		s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: func(reply map[string]any) {
			text, _ := reply["prompt"].(string)
			reply["prompt"] = test.repeated(text)
		}})
		s.applies(test.prompts)
		for key, text := range test.prompts {
			made, _ := s.Generation(s.idOf(key))
			check.Equal(t, key, made.Prompt, text)
		}
		s.Plan().Must().WantEmpty()
	})
}

// However a reply numbers its results, each key has its own at the end of the
// operation, and supersedes what it had before.
// Fault F5.
func TestGroup_indicesConfuseNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"plain",
		"index-from-1",
		"results-reordered",
		"index-missing-reordered",
		"index-doubled",
		"index-baseless",
	} {
		for _, waits := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " waits ", waits), func(t *testing.T) {
				t.Parallel()
				s := newScenario(t, func(o *mockserver.Options) { o.Variant = mockserver.Variants()[name] })
				for i, prompts := range []map[string]string{
					{"a": "A", "b": "B", "c": "C"},
					{"a": "C2", "b": "B2", "c": "A2"},
				} {
					s.WantSilent(s.applies(prompts, core.Object{"wait_for_completion": waits}).Diagnostics, anothers)
					for key, text := range prompts {
						made, _ := s.Generation(s.idOf(key))
						check.Equal(t, key, made.Prompt, text)
					}
					s.Clock.Advance(time.Hour)
					s.Apply().Must()
					s.WantCount(t, mockserver.RouteDelete, 3*i)
				}
				plan := s.Plan().Must()
				plan.WantEmpty()
				s.WantSilent(plan.Diagnostics, anothers)
			})
		}
	}
}

const anothers = "Generations May Be Another Key's"

// Without indices and prompts nobody knows which result of a batch is whose,
// but once all have results, each has its own. The plan says so, until an
// import that costs nothing says whose they are.
func TestGroup_supersededByABatchThatCannotBeToldApart(t *testing.T) {
	t.Parallel()
	for name, deleted := range map[string]int{"B2": 2, "faulty": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t, func(o *mockserver.Options) { o.Variant.PromptIndexBase = -1 })
			s.FailPrompt("faulty", "out of memory")
			s.Fault(
				mockserver.Fault{
					Route:   mockserver.RouteStatus,
					Times:   1000,
					Rewrite: func(reply map[string]any) { reply["prompt"] = nil },
				},
			)
			s.applies(map[string]string{"a": "A", "b": "B"})
			s.group(map[string]string{"a": "A2", "b": name})
			s.buys([]string{`generations["a"]`, `generations["b"]`}, 2)
			s.WantCount(t, mockserver.RouteDelete, deleted)
			plan := s.Plan().Must()
			plan.WantEmpty()
			s.WantWarning(plan.Diagnostics, anothers, `"a", "b"`, s.Groups()[0].ID)
			s.Forget(groupAddress)
			s.Import(groupAddress, s.pasted(plan.Diagnostics, anothers)).Must()
			s.buys(nil, 0)
			s.WantSilent(s.Plan().Must().Diagnostics, anothers)
			s.Destroy().Must()
		})
	}
}

// The one result that a reply names, of two and without an index, may belong to
// either prompt: what both had before stays.
func TestGroup_supersededByABatchThatNamesOneOfTwo(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.Variant.PromptIndexBase = -1 })
	s.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteStatus,
			Times:   1000,
			Rewrite: func(reply map[string]any) { reply["prompt"] = nil },
		},
	)
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
		reply["results"] = reply["results"].([]any)[:1]
	}})
	s.group(map[string]string{"a": "A2", "b": "B2"})
	s.buys([]string{`generations["a"]`, `generations["b"]`}, 2)
	s.Want(groupAddress, core.Object{"succeeded_count": int64(1), "unconfirmed_count": int64(1)})
	s.WantCount(t, mockserver.RouteDelete, 0)
	s.Plan().Must().WantEmpty()
}

func withoutIndices(reply map[string]any) {
	results, _ := reply["results"].([]any)
	for _, one := range results {
		if entry, _ := one.(map[string]any); entry != nil {
			delete(entry, "prompt_index")
		}
	}
}

func number(value any) int64 {
	switch value := value.(type) {
	case json.Number:
		whole, _ := value.Int64()
		return whole
	case float64:
		return int64(value)
	case int64:
		return value
	case int:
		return int64(value)
	}
	return -1
}

// Deletions that are complete, partial, or break off.
// Fault F8.
func TestGroup_deletionLeavesNothingOrSaysSo(t *testing.T) {
	t.Parallel()
	t.Run("media stick once", func(t *testing.T) {
		t.Parallel()
		s := applied(t, map[string]string{"a": "A", "b": "B"})
		s.StickMedia(s.Value(groupAddress, `generations["a"].id`).(string), 1)
		s.Destroy().Must()
		s.wantNoMedia()
	})
	t.Run("a group that outlives its generations", func(t *testing.T) {
		t.Parallel()
		s := newScenario(t, func(o *mockserver.Options) { o.Variant.KeepEmptyGroups = true })
		s.applies(map[string]string{"a": "A", "b": "B"})
		s.StickMedia(s.Value(groupAddress, `generations["a"].id`).(string), 1)
		s.Destroy().Must()
		s.WantCount(t, mockserver.RouteDeleteGroup, 2)
		check.Equal(t, "groups left", len(s.Groups()), 0)
	})
	t.Run("what a deletion has left goes one by one", func(t *testing.T) {
		t.Parallel()
		s := applied(t, map[string]string{"a": "A", "b": "B"})
		s.StickMedia(s.Value(groupAddress, `generations["a"].id`).(string), 3)
		check.True(t, "the first destroy fails", s.Destroy().Diagnostics.HasErrors(), s.Story())
		s.ResetJournal()
		s.Fault(mockserver.Fault{Route: mockserver.RouteDeleteGroup, Nth: 1, Status: 204})
		s.Destroy().Must()
		s.WantCount(t, mockserver.RouteDelete, 1)
		s.wantNoMedia()
	})
	t.Run("500", func(t *testing.T) {
		t.Parallel()
		s := applied(t, map[string]string{"a": "A"})
		s.Fault(mockserver.Fault{Route: mockserver.RouteDeleteGroup, Times: 10, Nth: 1, Status: 500})
		result := s.Destroy()
		check.True(
			t,
			"an error, and the group in the state",
			len(result.Diagnostics.Errors()) == 1 && s.State(groupAddress) != nil,
			result.Diagnostics,
		)
		s.ClearFaults()
		s.Destroy().Must()
	})
	t.Run("a removed prompt stays when it cannot be deleted", func(t *testing.T) {
		t.Parallel()
		s := applied(t, map[string]string{"a": "A", "b": "B"})
		s.Fault(mockserver.Fault{Route: mockserver.RouteDelete, Times: 10, Nth: 1, Status: 500})
		s.group(map[string]string{"a": "A"})
		result := s.Apply()
		check.True(
			t,
			"an error, and the prompt in the state",
			len(result.Diagnostics.Errors()) == 1 && s.idOf("b") != "",
			result.Diagnostics,
		)
		s.ClearFaults()
		s.Apply().Must()
		s.Plan().Must().WantEmpty()
	})
}

// A service may put a batch into another group than the requested one.
// Generations may outlive their group, and a group its generations: whatever the
// deletion of the group answers, it does not cover what is not in it. Fault F8.
func TestGroup_batchThatJoinsAnotherGroup(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"deleted": {Status: 204},
		"gone":    {Status: 404, Body: `{"success":false,"error":"Group not found"}`},
	}, func(t *testing.T, answer mockserver.Fault) {
		s := applied(t, map[string]string{"a": "A"})
		s.Fault(
			mockserver.Fault{
				Route:   mockserver.RouteBatch,
				Nth:     1,
				Rewrite: func(reply map[string]any) { reply["group_id"] = "grp_other" },
			},
		)
		s.group(map[string]string{"a": "A", "b": "B"})
		result := s.buys([]string{`generations["b"]`}, 1)
		s.WantWarning(result.Diagnostics, "Generations Are in Another Group", "grp_other")
		s.inAnotherGroup("b")
		s.Plan().Must().WantEmpty()
		answer.Route = mockserver.RouteDeleteGroup
		answer.Nth = 1
		answer.AfterWork = true
		s.Fault(answer)
		s.Destroy().Must()
		s.WantCount(t, mockserver.RouteDelete, 1)
		s.wantNoMedia()
	})
}

// inAnotherGroup lets the statuses of a key's generation say that too.
func (s scenario) inAnotherGroup(key string) {
	id := s.Value(groupAddress, fmt.Sprintf("generations[%q].id", key))
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 100, Rewrite: func(status map[string]any) {
		if status["generation_id"] == id {
			status["group_id"] = "grp_other"
		}
	}})
}

// A count that is too low names nobody: each generation is read.
// Fault F8.
func TestGroup_deletionThatFallsShort(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	s.Fault(
		mockserver.Fault{
			Route:  mockserver.RouteDeleteGroup,
			Nth:    1,
			Status: 200,
			Body:   `{"success":true,"deleted_generations":1}`,
		},
	)
	s.Destroy().Must()
	s.WantCount(t, mockserver.RouteDelete, 2)
	s.wantNoMedia()
}

// A generation that no status has shown yet is pending, not gone.
// Fault F12.
func TestGroup_notVisibleYetIsPending(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.Variant.LateVisibility = 4 })
	s.applies(map[string]string{"a": "A"}, core.Object{"wait_for_completion": false})
	s.Plan().Must().WantEmpty()
	s.Clock.Advance(time.Hour)
	for range 5 {
		s.Refresh()
	}
	s.Want(groupAddress, core.Object{"complete": true, `generations["a"].succeeded`: true})
	s.WantCount(t, mockserver.RouteBatch, 1)
}

// Ctrl-C between batches: what was not submitted is planned again.
// Fault F7.
func TestGroup_interruptedBetweenBatches(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Reached: s.Interrupt})
	s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"max_prompts_per_batch": int64(1)})
	s.Apply()
	check.True(t, "in the state, and not tainted", !s.Tainted(groupAddress) && s.State(groupAddress) != nil)
	s.ClearFaults()
	s.buys([]string{`generations["b"]`}, 1)
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteBatch, 2)
	check.Equal(t, "groups made", len(s.Groups()), 1)
}

// An image that was left is deleted by a second request: only while the
// generation stands, one can name it. Fault F8.
func TestGroup_secondDeletionOfWhatWasLeft(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	s.StickMedia(s.idOf("b"), 1)
	s.WantSilent(s.applies(map[string]string{"a": "A"}).Diagnostics, "Images Could Not Be Deleted")
	s.WantCount(t, mockserver.RouteDelete, 2)
	s.wantStanding("A")
}

// After Ctrl-C nothing is deleted any more, and nothing is said of what was not.
// Fault F7.
func TestGroup_interruptLeavesTheSuperseded(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.group(map[string]string{"a": "A2", "b": "B2"})
	s.ResetJournal()
	var reads atomic.Int64
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 100, Rewrite: func(reply map[string]any) {
		if reads.Add(1) == 4 { // the plan reads two, and of those that are bought one has ended
			s.Interrupt()
			reply["status"] = "processing"
			reply["result_urls"] = []any{}
			delete(reply, "performance_metadata")
		}
	}})
	s.WantSilent(s.Apply().Diagnostics, "Unable to Delete Superseded Generation")
	s.Want(groupAddress, core.Object{"succeeded_count": 1, "pending_count": 1})
	s.WantCount(t, mockserver.RouteDelete, 0)
	s.ClearFaults()
	s.Apply().Must()
	s.wantStanding("A2", "B2")
}

// What the random runs of internal/acctest/story found.

// A group that was deleted elsewhere, unnoticed because finished generations
// are not read: the next batch discovers it. After its 404 the next refresh
// reads all generations, or nothing could be added again.
func TestGroup_deletedElsewhereIsFoundOutByABatch(t *testing.T) {
	t.Parallel()
	unread := core.Object{"refresh_finished": false}
	s := applied(t, map[string]string{"a": "A"}, unread)
	s.DeleteGroupBehindTheBack(s.Value(groupAddress, "id").(string))
	s.Plan().Must().WantEmpty()
	s.group(map[string]string{"a": "A", "b": "B"}, unread)
	check.True(t, "an error, and nothing bought", s.Apply().Diagnostics.HasErrors() && s.charged() == 1, s.charged())
	s.buys([]string{"id", `generations["a"]`, `generations["b"]`}, 2)
	s.Plan().Must().WantEmpty()
}

func TestGroup_deletedElsewhereWithUnknownPrompts(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.DeleteGroupBehindTheBack(s.Value(groupAddress, "id").(string))
	check.True(t, "an error", s.Apply().Diagnostics.HasErrors())
	s.buys([]string{"id", `generations["a"]`}, 1)
	s.Plan().Must().WantEmpty()
}

// If the reply to the first batch did not name the group, a generation is read
// for its id before the next batch is sent.
func TestGroup_batchesJoinAGroupThatTheReplyDoesNotName(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteBatch,
			Nth:     1,
			Rewrite: func(reply map[string]any) { delete(reply, "group_id") },
		},
	)
	s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"max_prompts_per_batch": int64(1)})
	check.Equal(t, "groups", len(s.Groups()), 1)
	s.Plan().Must().WantEmpty()
}

// If one status does not name it, the others do not either.
func TestGroup_aGroupThatNothingNamesIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	unnamed := func(reply map[string]any) { delete(reply, "group_id") }
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 100, Rewrite: unnamed})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 100, Rewrite: unnamed})
	s.applies(
		map[string]string{"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"},
		core.Object{"max_prompts_per_batch": int64(1), "wait_for_completion": false},
	)
	s.WantCount(t, mockserver.RouteStatus, 1)
	s.Plan().Must().WantEmpty()
}
