package generation_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestGroup_basic(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(map[string]string{"a": "A", "b": "B", "c": "C"})
	s.buys([]string{"id", `generations["a"]`, `generations["b"]`, `generations["c"]`}, 3)
	s.Want(groupAddress, core.Object{
		"complete":                   true,
		"succeeded_count":            int64(3),
		"failed_count":               int64(0),
		"pending_count":              int64(0),
		"unconfirmed_count":          int64(0),
		"credits_deducted":           3,
		`generations["a"].succeeded`: true,
		`generations["a"].attempts`:  int64(1),
		`generations["b"].error`:     nil,
	})
	s.WantCount(t, mockserver.RouteBatch, 1)
	s.WantCount(t, mockserver.RouteCapabilities, 1) // by the plan
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteStatus, 3)
	s.Destroy().Must()
	check.True(t, "no media and groups are left", s.Media() == 0 && len(s.Groups()) == 0, s.Media(), len(s.Groups()))
	s.WantCount(t, mockserver.RouteDeleteGroup, 1)
	s.WantCount(t, mockserver.RouteDelete, 0)
}

func TestGroup_waitsWithFewRequests(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = time.Minute })
	s.applies(map[string]string{"a": "A", "b": "B", "c": "C", "d": "D"})
	// Polls of the first at intervals that grow with the time waited, then one
	// of each of the others.
	check.True(t, "few requests", s.Count(mockserver.RouteStatus) <= 4+25, s.Count(mockserver.RouteStatus))
}

// A service that shows no progress may still have said how long it takes.
func TestGroup_waitTrustsTheEstimate(t *testing.T) {
	t.Parallel()
	const takes = 690 * time.Second // without it, long before the next look
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = takes })
	s.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteStatus,
			Times:   1000,
			Rewrite: func(status map[string]any) { delete(status, "progress") },
		},
	)
	s.group(map[string]string{"a": "A"})
	before := s.Clock.Now()
	s.Apply().Must()
	late := s.Clock.Now().Sub(before) - takes
	check.True(t, "its end is seen soon", late <= takes/20, late)
}

func TestGroup_addedPromptIsBoughtAlone(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B", "c": "C"})
	id := s.Value(groupAddress, "id")
	s.ResetJournal()
	s.group(map[string]string{"a": "A", "b": "B", "c": "C", "d": "D"})
	s.buys([]string{`generations["d"]`}, 1)
	batches := s.Requests(mockserver.RouteBatch)
	check.Equal(t, "batches", len(batches), 1)
	var sent struct {
		GroupID string           `json:"group_id"`
		Prompts []map[string]any `json:"prompts"`
	}
	check.Must(t, json.Unmarshal(batches[0].Body, &sent))
	check.True(
		t,
		"D alone into the group",
		sent.GroupID == id && len(sent.Prompts) == 1 && sent.Prompts[0]["prompt"] == "D",
		sent,
		id,
	)
	s.Want(groupAddress, core.Object{"credits_deducted": 4, "succeeded_count": int64(4), "id": id})
	s.Plan().Must().WantEmpty()
}

func TestGroup_failedChangeKeepsTheOldMedia(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	old := s.Value(groupAddress, `generations["a"].id`).(string)
	s.FailPrompt("worse", "no face found")
	s.group(map[string]string{"a": "worse"})
	result := s.buys([]string{`generations["a"]`}, 1)
	s.WantWarning(result.Diagnostics, "Generations Failed", old)
	s.WantCount(t, mockserver.RouteDelete, 0)
	check.True(t, "the old generation stays, since the new one failed", s.isThere(old))
	s.Want(
		groupAddress,
		core.Object{
			"failed_count":               int64(1),
			`generations["a"].succeeded`: false,
			`generations["a"].error`:     "no face found",
		},
	)
	s.Plan().Must().WantEmpty()

	s.group(map[string]string{"a": "better"})
	s.buys([]string{`generations["a"]`}, 1)
	s.WantCount(t, mockserver.RouteDelete, 2)
	check.True(t, "the old generation goes, since the new one has results", !s.isThere(old))
	s.Plan().Must().WantEmpty()
	s.Destroy().Must()
}

func TestGroup_renamesCostNothing(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	a := s.Value(groupAddress, `generations["a"].id`)
	b := s.Value(groupAddress, `generations["b"].id`)
	s.ResetJournal()
	s.group(map[string]string{"x": "A", "b": "B"})
	s.buys(nil, 0)
	s.Want(groupAddress, core.Object{`generations["x"].id`: a, `generations["b"].id`: b})
	s.group(map[string]string{"x": "B", "b": "A"})
	s.buys(nil, 0)
	s.Want(groupAddress, core.Object{`generations["x"].id`: b, `generations["b"].id`: a})
	plan := s.plans(
		map[string]string{"x": "B", "b": "A"},
		core.Object{"title": "Other", "max_prompts_per_batch": int64(2), "timeouts": core.Object{"create": "5m"}},
	)
	check.True(
		t,
		"a warning about the title",
		len(plan.Diagnostics.Find("Title Is Sent With the Next Batch")) == 1,
		plan.Diagnostics,
	)
	s.buys(nil, 0)
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.WantCount(t, mockserver.RouteDelete, 0)
	s.WantCount(t, mockserver.RouteDeleteGroup, 0)
	s.applies(map[string]string{"x": "B", "b": "A", "c": "C"}, core.Object{"title": "Other"})
	check.Contains(t, "the next batch", string(s.Requests(mockserver.RouteBatch)[0].Body), `"group_title":"Other"`)
}

// Results may come in another order, and with other signatures, at each read.
func TestGroup_resultsInAnyOrder(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	var reads atomic.Int64
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: func(reply map[string]any) {
		read := reads.Add(1)
		results := []any{
			fmt.Sprintf("https://cdn.example/1.png?sig=%d", read),
			fmt.Sprintf("https://cdn.example/10.png?sig=%d", -read),
		}
		if read%2 == 0 {
			slices.Reverse(results)
		}
		reply["result_urls"] = results
	}})
	s.applies(map[string]string{"a": "A"})
	stored := s.Value(groupAddress, `result_urls["a"]`)
	for range 3 {
		s.Refresh()
		s.Want(groupAddress, core.Object{`result_urls["a"]`: stored})
	}
}

// A wait does not go on for what is gone.
func TestGroup_deletedDuringTheWait(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.GenerationTime = time.Minute })
	s.group(map[string]string{"a": "A"})
	s.Before(mockserver.RouteStatus, func() {
		s.Before(mockserver.RouteStatus, func() { s.DeleteGenerationBehindTheBack(s.Groups()[0].Generations[0].ID) })
	})
	before := s.Clock.Now()
	s.Apply()
	check.True(t, "the apply is short", s.Clock.Now().Sub(before) <= time.Minute, s.Clock.Now().Sub(before))
}

// No word of a status means that what it shows is gone: only the service's own
// 404 does. Once that answers a deletion too, the word is its echo. Fault F34.
func TestGroup_deletedByAWordAlone(t *testing.T) {
	t.Parallel()
	check.Each(
		t,
		map[string]string{"deleted": "DELETED", "removed": "removed", "purged": "Purged"},
		func(t *testing.T, word string) {
			s := applied(t, map[string]string{"a": "A", "b": "B"})
			stored := s.State(groupAddress)
			deleted := s.Value(groupAddress, `generations["b"].id`)
			s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 1000, Rewrite: func(reply map[string]any) {
				if reply["generation_id"] == deleted {
					maps.Copy(reply, map[string]any{"status": word, "result_urls": []any{}, "progress": nil})
				}
			}})
			for range 2 {
				plan := s.Plan().Must()
				plan.WantEmpty()
				s.WantWarning(plan.Diagnostics, noLongerShown, `"b"`, "nothing is bought")
				s.ApplyPlan(plan).Must()
			}
			check.Equal(t, "the state", s.State(groupAddress), stored)
			s.WantCount(t, mockserver.RouteBatch, 1)

			s.Fault(mockserver.Fault{Route: mockserver.RouteDelete, Nth: 1, Times: 2, Status: 404, Body: ownNotFound})
			s.applies(map[string]string{"a": "A"})
			s.WantCount(t, mockserver.RouteDelete, 2)
			s.Plan().Must().WantEmpty()
		},
	)
}

func TestGroup_withoutWaiting(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"}, core.Object{"wait_for_completion": false})
	s.Want(groupAddress, core.Object{"complete": false, "pending_count": int64(1), `generations["a"].succeeded`: nil})
	s.Plan().Must().WantEmpty()
	s.Clock.Advance(time.Hour)
	s.Plan().Must().WantEmpty()
	s.Want(groupAddress, core.Object{`generations["a"].id`: s.Groups()[0].Generations[0].ID})
	s.Refresh()
	s.Want(groupAddress, core.Object{"complete": true, `generations["a"].succeeded`: true})
}

func TestGroup_unknownPromptsAtPlan(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(nil, core.Object{"prompts": core.Object{
		"a": core.Object{"prompt": "A"}, "b": core.Object{"prompt": core.UnknownUntilApply("B")},
	}})
	s.buys([]string{"id", `generations["a"]`, `generations["b"]`}, 2)
	s.Plan().Must().WantEmpty()
	plan := s.plans(nil, core.Object{"prompts": core.UnknownUntilApply(texts(map[string]string{"a": "A", "c": "C"}))})
	check.Equal(t, "announced", plan.UnknownIDs(groupAddress), []string{"generations"})
	s.ApplyPlan(plan).Must()
	s.Plan().Must().WantEmpty()
	s.Want(groupAddress, core.Object{"succeeded_count": int64(2)})
}

// Where a plan may leave a group to a later one, as in Terraform Stacks, it
// does until the prompts are known: only then can it say what it buys.
func TestGroup_unknownPromptsAreDeferred(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for _, prompts := range []map[string]string{{"a": "A"}, {"a": "A", "b": "B"}} {
		charged := s.charged()
		s.group(nil, core.Object{"prompts": core.UnknownUntilApply(texts(prompts))})
		plan := s.Plan(core.Deferring()).Must()
		check.Equal[any](t, "what is deferred", plan.Deferred[groupAddress]["generations"], core.Unknown)
		check.True(t, "it says nothing of media", len(plan.Warnings()) == 0, plan)
		s.ApplyPlan(plan).Must()
		check.Equal(t, "charged", s.charged(), charged)
		s.group(prompts)
		plan = s.Plan(core.Deferring()).Must()
		check.Equal(t, "deferred once they are known", len(plan.Deferred), 0)
		s.ApplyPlan(plan).Must()
		s.Plan(core.Deferring()).Must().WantEmpty()
	}
}

// A prompt that turns out at apply to equal one that the plan seemed to give to
// another key: the apply must not break the plan's promise.
func TestGroup_unknownPromptMayTakeARenameAway(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"P", "other"} {
		s := applied(t, map[string]string{"x": "P"})
		s.group(nil, core.Object{"prompts": core.Object{
			"a": core.Object{"prompt": core.UnknownUntilApply(text)}, "b": core.Object{"prompt": "P"},
		}})
		s.buys([]string{`generations["a"]`, `generations["b"]`}, 1)
		s.Plan().Must().WantEmpty()
	}
}

// An unknown text may be another, and is announced; what the apply finds equal
// is not bought.
func TestGroup_unknownTextOfAKnownPrompt(t *testing.T) {
	t.Parallel()
	type row struct {
		text string
		buys int
	}
	check.Each(t, map[string]row{
		"equal":   {"A", 0},
		"another": {"C", 1},
	}, func(t *testing.T, test row) {
		s := applied(t, map[string]string{"a": "A", "b": "B"})
		s.group(nil, core.Object{"prompts": core.Object{
			"a": core.Object{"prompt": core.UnknownUntilApply(test.text)}, "b": core.Object{"prompt": "B"},
		}})
		s.buys([]string{`generations["a"]`}, test.buys)
		s.Plan().Must().WantEmpty()
	})
}

// Beside a character that the plan does not know, only what has changed is
// bought, or nothing at all.
func TestGroup_unknownCharacterBesideANewPrompt(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	before := s.Value(groupAddress, `generations["a"]`)
	s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"character_id": core.UnknownUntilApply("ch_1")})
	s.buys([]string{`generations["b"]`}, 1)
	check.Equal(t, "the generation before", s.Value(groupAddress, `generations["a"]`), before)
	s.Plan().Must().WantEmpty()

	charged := s.charged()
	s.group(map[string]string{"a": "A", "b": "B", "c": "C"}, core.Object{"character_id": core.UnknownUntilApply(nil)})
	plan := s.Plan().Must()
	check.Equal(t, "announced", plan.UnknownIDs(groupAddress), []string{`generations["c"]`})
	s.WantError(
		s.ApplyPlan(plan).Diagnostics,
		"Other Than Planned",
		`character_id turned out to be null instead of "ch_1"`,
	)
	check.Equal(t, "charged", s.charged(), charged)
	check.Equal(t, "the next plan", s.Plan().Must().Action(groupAddress), core.Replace)
}

func TestGroup_severalBatches(t *testing.T) {
	t.Parallel()
	s := applied(
		t,
		map[string]string{"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"},
		core.Object{"max_prompts_per_batch": int64(2)},
	)
	s.WantCount(t, mockserver.RouteBatch, 3)
	groups := s.Groups()
	check.True(t, "one group of five", len(groups) == 1 && len(groups[0].Generations) == 5, groups)
	s.Want(groupAddress, core.Object{"credits_deducted": 5, "succeeded_count": int64(5)})
	s.Plan().Must().WantEmpty()
}

func TestGroup_unknownAttemptsAnnounceTheMost(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.FailPrompt("A", "out of memory")
	s.applies(map[string]string{"a": "A"})
	for _, attempts := range []int64{1, 2} {
		s.group(map[string]string{"a": "A"}, core.Object{"max_attempts": core.UnknownUntilApply(attempts)})
		s.buys([]string{`generations["a"]`}, int(attempts-1))
		s.Plan().Must().WantEmpty()
	}
}

// What was true when one group was bought may not be when the next one is.
func TestGroup_capabilitiesMayChangeDuringARun(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "lora", Name: "Grace", FaceLoRA: true})
	s.Fault(mockserver.Fault{
		Route: mockserver.RouteCapabilities,
		After: mockserver.RouteBatch,
		Rewrite: func(capabilities map[string]any) {
			capabilities["face_lora"].(map[string]any)["available"] = false
		},
	})
	asking := func(key string) core.Object {
		return core.Object{key: core.Object{"prompt": "A", "use_face_lora": true}}
	}
	s.group(nil, core.Object{"character_id": "lora", "prompts": asking("a")})
	s.Resource(otherAddress, core.Object{"character_id": "lora", "prompts": asking("c")})
	refused := s.Apply().Diagnostics.Errors()
	check.True(t, "one error", len(refused) == 1 && refused[0].Summary == "LoRA Is Not Available", refused)
	s.WantCount(t, mockserver.RouteBatch, 1)
}
