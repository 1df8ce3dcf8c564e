package generation_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// answers sets what the next batch's reply says; a nil value is null, and a
// missing key is absent. The service has still done its work.
func (s scenario) answers(reply map[string]any) {
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(usual map[string]any) {
		named := map[string]any{"batch_id": usual["batch_id"], "group_id": usual["group_id"]}
		clear(usual)
		maps.Copy(usual, named)
		maps.Copy(usual, reply)
	}})
}

func entry(index int, more map[string]any) map[string]any {
	made := map[string]any{"prompt_index": index}
	maps.Copy(made, more)
	return made
}

// A batch is accepted, and its reply does not say what became of the prompts:
// they are unconfirmed, nothing is deleted, and nothing is bought again. A count of
// no successes proves nothing. The group is in the state if anything is counted, and
// nothing's to delete.
// Fault F14.
func TestGroup_acceptedIsNotRejected(t *testing.T) {
	t.Parallel()
	type reply = map[string]any
	waiting, refused := reply{"status": "processing"}, reply{"status": "failed", "error": "no"}
	for name, test := range map[string]struct {
		reply       reply
		unconfirmed int64
	}{
		"in the background":              {reply{"status": "processing", "total_requested": 0, "successful_submissions": 0, "failed_submissions": 0, "results": []any{}, "credits_deducted": 2}, 2},
		"results are null":               {reply{"status": "processing", "successful_submissions": 0, "results": nil, "credits_deducted": 2}, 2},
		"results are missing":            {reply{"status": "processing", "successful_submissions": 0}, 2},
		"entries without ids":            {reply{"status": "processing", "successful_submissions": 0, "results": []any{entry(0, waiting), entry(1, waiting)}}, 2},
		"entries that say nothing":       {reply{"successful_submissions": 0, "failed_submissions": 0, "results": []any{entry(0, nil), entry(1, nil)}}, 2},
		"failed as a whole":              {reply{"status": "failed", "message": "no", "results": []any{}}, 2},
		"the counts alone, and charged":  {reply{"status": "failed", "total_requested": 2, "successful_submissions": 0, "failed_submissions": 2, "credits_deducted": 2}, 2},
		"counts that contradict":         {reply{"status": "failed", "total_requested": 3, "successful_submissions": 0, "failed_submissions": 2}, 2},
		"counts of some":                 {reply{"status": "failed", "total_requested": 2, "successful_submissions": 0, "failed_submissions": 1}, 2},
		"none successful, none failed":   {reply{"total_requested": 2, "successful_submissions": 0, "failed_submissions": 0}, 2},
		"counts against an entry":        {reply{"failed_submissions": 2, "successful_submissions": 0, "results": []any{entry(0, waiting), entry(1, refused)}}, 1},
		"one refused, one left out":      {reply{"successful_submissions": 0, "results": []any{entry(0, refused)}}, 1},
		"entries that refuse, and money": {reply{"failed_submissions": 2, "results": []any{entry(0, refused), entry(1, refused)}, "credits_deducted": 2}, 0},
		"an id with the error": {reply{"failed_submissions": 2, "results": []any{
			entry(0, reply{"generation_id": "gen_000001", "error": "no"}), entry(1, reply{"generation_id": "gen_000002", "error": "no"})}}, 0},
	} {
		for _, code := range []int{200, 202} {
			t.Run(fmt.Sprint(name, " ", code), func(t *testing.T) {
				t.Parallel()
				s := newScenario(t, func(o *mockserver.Options) { o.Variant.SuccessCode = code })
				s.answers(test.reply)
				result := s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"refresh_finished": false, "wait_for_completion": false})
				if warned := len(result.Diagnostics.Warnings().Find("Unconfirmed Prompts: group")); warned != int(min(test.unconfirmed, 1)) {
					t.Errorf("%d warnings:\n%s", warned, result.Diagnostics)
				}
				group := s.Groups()[0].ID
				if counted := test.reply["credits_deducted"] != nil || strings.HasPrefix(name, "an id"); (s.Value(groupAddress, "id") == group) != counted {
					t.Errorf("the id is %v", s.Value(groupAddress, "id"))
				}
				check.True(t, "the group is named", strings.Contains(result.Diagnostics.String(), group), result.Diagnostics)
				s.Want(groupAddress, core.Object{
					"unconfirmed_count": test.unconfirmed, `generations["a"].attempts`: 1, `generations["b"].attempts`: 1,
					"credits_deducted": test.reply["credits_deducted"],
				})
				for range 3 {
					s.Plan().Must().WantEmpty()
					s.Apply().Must()
				}
				s.WantCount(t, mockserver.RouteBatch, 1)
				s.WantCount(t, mockserver.RouteDeleteGroup, 0)
				s.Destroy().Must()
				check.True(t, "groups left, prompts charged", (len(s.Groups()) == 1 || s.Count(mockserver.RouteDelete) == 2) && s.charged() == 2, len(s.Groups()), s.charged())
			})
		}
	}
}

// Fault F14.
func TestGroup_acceptedInTheBackgroundIsBoughtAgainWhenAsked(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.answers(map[string]any{"status": "processing", "successful_submissions": 0, "results": []any{}, "credits_deducted": 1})
	s.applies(map[string]string{"a": "A"})
	s.group(map[string]string{"a": "A"}, core.Object{"max_attempts": 2})
	s.buys([]string{`generations["a"]`}, 1)
	s.Want(groupAddress, core.Object{"succeeded_count": 1, `generations["a"].attempts`: 2, "credits_deducted": 2})
	s.Plan().Must().WantEmpty()
	check.Equal(t, "groups made", len(s.Groups()), 1)
}

// What the reply proves refused is an error. The empty group that it names is
// quoted, and nothing else.
// Fault F14.
func TestGroup_rejectedByEntriesOrByCounts(t *testing.T) {
	t.Parallel()
	type reply = map[string]any
	for name, answer := range map[string]reply{
		"entries":                 {"results": []any{entry(0, reply{"error": "no"}), entry(1, reply{"status": "REJECTED"})}, "credits_deducted": 0},
		"entries that stopped":    {"results": []any{entry(0, reply{"error": "no"}), entry(1, reply{"status": "cancelled"})}},
		"counts":                  {"total_requested": 2, "successful_submissions": 0, "failed_submissions": 2, "credits_deducted": 0, "results": []any{}},
		"failed alone":            {"failed_submissions": 2},
		"counts and some entries": {"successful_submissions": 0, "failed_submissions": 2, "results": []any{entry(1, reply{"status": "failed"})}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.RejectPrompt("bad", "not allowed")
			s.answers(answer)
			s.group(map[string]string{"a": "bad", "b": "bad too"})
			result := s.Apply()
			s.WantError(result.Diagnostics, "Unable to Submit Generation Batch", fmt.Sprintf("names the group %q", s.Groups()[0].ID))
			check.True(t, "nothing is in the state", s.State(groupAddress) == nil)
			s.wantUntouched(0, 0)
		})
	}
}
