package generation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// takes are prompts of one text by their takes; nil is null.
func takes(numbers map[string]any) core.Object {
	prompts := core.Object{}
	for key, number := range numbers {
		prompts[key] = core.Object{"prompt": "A", "take": number}
	}
	return core.Object{"prompts": prompts}
}

// Another take is the same prompt, bought again alone; nobody tells the service
// which it is.
func TestGroup_anotherTake(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(nil, takes(map[string]any{"a": nil, "b": int64(2)}))
	s.buys([]string{"id", `generations["a"]`, `generations["b"]`}, 2)
	s.Want(groupAddress, core.Object{`prompts["a"].take`: 1, `prompts["b"].take`: 2})
	old := s.Value(groupAddress, `generations["a"].id`).(string)
	s.ResetJournal()

	s.group(nil, takes(map[string]any{"a": int64(1), "b": int64(2)})) // null is 1
	s.buys(nil, 0)
	s.Want(groupAddress, core.Object{`prompts["a"].take`: 1, `generations["a"].id`: old})
	s.WantCount(t, mockserver.RouteBatch, 0)

	plan := s.plans(nil, takes(map[string]any{"a": int64(3), "b": int64(2)}))
	s.WantWarning(plan.Diagnostics, mediaDeleted, `"a"`, "superseded")
	s.buys([]string{`generations["a"]`}, 1)
	check.True(t, "the former take is gone", !s.isThere(old))
	var sent struct {
		Prompts []map[string]any `json:"prompts"`
	}
	check.Must(t, json.Unmarshal(s.Requests(mockserver.RouteBatch)[0].Body, &sent))
	_, told := sent.Prompts[0]["take"]
	check.True(t, "one prompt without its take", !told && len(sent.Prompts) == 1, sent.Prompts)
	s.Plan().Must().WantEmpty()
}

// Takes go with their keys: a rename finds the one of the same number.
func TestGroup_renamedTakes(t *testing.T) {
	t.Parallel()
	s := applied(t, nil, takes(map[string]any{"a": nil, "b": int64(2)}))
	one := s.Value(groupAddress, `generations["a"].id`)
	two := s.Value(groupAddress, `generations["b"].id`)
	s.group(nil, takes(map[string]any{"x": int64(2), "y": int64(1)}))
	s.buys(nil, 0)
	s.Want(groupAddress, core.Object{`generations["x"].id`: two, `generations["y"].id`: one})
	s.WantCount(t, mockserver.RouteDelete, 0)

	s.group(nil, takes(map[string]any{"x": int64(2), "y": core.UnknownUntilApply(int64(1))}))
	check.Equal(t, "announced", s.Plan().Must().UnknownIDs(groupAddress), []string{`generations["y"]`})
	s.buys([]string{`generations["y"]`}, 0)
	s.Want(groupAddress, core.Object{`generations["y"].id`: one})
}

// One failed prompt of several is retried by its take, from its first attempt.
func TestGroup_takeRetriesOne(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.FailPrompt("bad", "too dark")
	prompts := func(take any) core.Object {
		return core.Object{"max_attempts": int64(2), "prompts": core.Object{
			"a": core.Object{"prompt": "bad", "take": take}, "b": core.Object{"prompt": "bad"},
		}}
	}
	s.applies(nil, prompts(nil))
	s.Apply().Must()
	s.Want(groupAddress, core.Object{`generations["a"].attempts`: 2, `generations["b"].attempts`: 2, "failed_count": 2})
	s.FailPrompt("bad", "")
	s.group(nil, prompts(int64(2)))
	s.buys([]string{`generations["a"]`}, 1)
	s.Want(
		groupAddress,
		core.Object{
			`generations["a"].attempts`:  1,
			`generations["a"].succeeded`: true,
			`generations["b"].attempts`:  2,
			"failed_count":               1,
		},
	)
	s.Plan().Must().WantEmpty()
}

// A service that gives two takes one generation has been sent equal prompts.
func TestGroup_takesShareAGeneration(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Rewrite: func(reply map[string]any) {
		results := reply["results"].([]any)
		results[1].(map[string]any)["generation_id"] = results[0].(map[string]any)["generation_id"]
	}})
	result := s.applies(nil, takes(map[string]any{"a": nil, "b": int64(2)}))
	s.WantWarning(result.Diagnostics, "Equal Prompts Share a Generation", `"a", "b"`)
	s.Want(groupAddress, core.Object{"succeeded_count": 2, "unconfirmed_count": 0})
	s.Plan().Must().WantEmpty()
}

// An import cannot read which take it was.
func TestGroup_importTakesATakeOver(t *testing.T) {
	t.Parallel()
	s := applied(t, nil, takes(map[string]any{"a": int64(4)}))
	id := s.Value(groupAddress, `generations["a"].id`).(string)
	s.Forget(groupAddress)
	s.Import(groupAddress, `{"a":"`+id+`"}`).Must()
	s.ResetJournal()
	s.buys(nil, 0)
	s.Want(groupAddress, core.Object{`prompts["a"].take`: 4, `generations["a"].id`: id})
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.WantCount(t, mockserver.RouteDelete, 0)
}

// What an editor did to the white space is no reason to pay.
func TestGroup_planSaysWhatOnlyWhiteSpaceChanges(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "At dawn", "b": "At noon", "c": "At night"})
	plan := s.plans(map[string]string{"a": "At  dawn\n", "b": "At Noon", "c": "At nights"})
	s.WantWarning(
		plan.Diagnostics,
		mediaDeleted,
		`Of the prompts "a", "b" only white space, or upper and lower case, has changed.`,
	)
	said := s.plans(map[string]string{"a": "At dawn", "b": "At nooon", "c": "At night"}).
		Diagnostics.Find(mediaDeleted).
		String()
	check.True(t, "a letter is more", !strings.Contains(said, "white space"), said)
}
