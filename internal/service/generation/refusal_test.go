package generation_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// stranger buys two generations from another workspace, and returns the group.
func (s scenario) stranger() string {
	s.T.Helper()
	other := scenario{s.Service.Scenario(s.T)}
	other.group(map[string]string{"x": "X", "y": "Y"})
	other.Apply().Must()
	s.ResetJournal()
	return other.Value(groupAddress, "id").(string)
}

// wantUntouched checks that nothing was deleted, and what was charged.
func (s scenario) wantUntouched(media, charged int) {
	s.T.Helper()
	s.WantCount(s.T, mockserver.RouteDeleteGroup, 0)
	s.WantCount(s.T, mockserver.RouteDelete, 0)
	check.True(s.T, "media, and prompts charged", s.Media() == media && s.charged() == charged, s.Media(), s.charged(), media, charged)
}

// A refusal may name any group: the one of another configuration was taken for
// an empty one that the refused batch had made, and deleted.
// Fault F19.
func TestGroup_refusalNamesAStrangersGroup(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusBadRequest, http.StatusPaymentRequired, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusOK} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			theirs := s.stranger()
			if fault := (mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1}); status == http.StatusOK {
				s.RejectPrompt("bad", "not allowed")
				fault.Rewrite = func(reply map[string]any) { reply["group_id"] = theirs }
				s.Fault(fault)
			} else {
				fault.Status, fault.Body = status, fmt.Sprintf(`{"error":"no","message":"no","group_id":%q}`, theirs)
				s.Fault(fault)
			}
			s.group(map[string]string{"a": "bad"})
			result := s.Apply()
			s.WantError(result.Diagnostics, "Unable to Submit Generation Batch", "The service says that it refused", fmt.Sprintf("names the group %q", theirs), "empty and yours")
			if text := result.Diagnostics.String(); strings.Contains(strings.ToLower(text), "nothing was") {
				t.Errorf("only the service knows that:\n%s", text)
			}
			check.True(t, "nothing is in the state", s.State(groupAddress) == nil)
			s.Destroy().Must()
			s.wantUntouched(2, 2)
		})
	}
}

// An answer that leaves the outcome open adopts no group either: destroy would
// delete it.
// Fault F19.
func TestGroup_errorNamesAStrangersGroup(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]mockserver.Fault{
		"500": {Status: 500, Body: `{"error":"internal","message":"boom","group_id":%q}`},
		"408": {Status: 408, Body: `{"error":"slow","group_id":%q}`},
		"a 200 that says no and names a generation": {Body: `{"success":false,"group_id":%q,"results":[{"prompt_index":0,"generation_id":"gen_000001"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			theirs := s.stranger()
			fault.Route, fault.Nth, fault.Body = mockserver.RouteBatch, 1, fmt.Sprintf(fault.Body, theirs)
			s.Fault(fault)
			s.WantWarning(s.applies(map[string]string{"a": "A"}).Diagnostics, "Unconfirmed Prompts: group", fmt.Sprintf("names the group %q", theirs), "empty and yours")
			s.Want(groupAddress, core.Object{"unconfirmed_count": int64(1), `generations["a"].id`: nil})
			if id := s.Value(groupAddress, "id").(string); !strings.HasPrefix(id, "unconfirmed-") {
				t.Errorf("the id is %q", id)
			}
			s.Plan().Must().WantEmpty()
			s.Destroy().Must()
			s.wantUntouched(2, 2)
			s.WantCount(t, mockserver.RouteBatch, 1)
		})
	}
}

// sayingNo are the ways in which a 2xx says no.
var sayingNo = map[string]struct {
	code int
	says map[string]any
}{
	"bool":                    {200, map[string]any{"success": false}},
	"text":                    {200, map[string]any{"success": "false", "message": "not accepted"}},
	"207":                     {207, map[string]any{"success": false, "error": "partial"}},
	"an error beside results": {200, map[string]any{"error": "failed"}},
}

// A reply that deducts credits has accepted the batch, whatever else it says:
// the group just paid for was deleted and bought again.
// Fault F22.
func TestGroup_acceptedAlthoughItSaysNo(t *testing.T) {
	t.Parallel()
	for name, test := range sayingNo {
		for _, evidence := range []string{"credits_deducted", "successful_submissions"} {
			t.Run(name+" "+evidence, func(t *testing.T) {
				t.Parallel()
				s := newScenario(t, func(o *mockserver.Options) { o.Variant.SuccessCode = test.code })
				s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
					for _, number := range []string{"credits_deducted", "successful_submissions"} {
						if number != evidence {
							delete(reply, number)
						}
					}
					maps.Copy(reply, test.says)
				}})
				s.applies(map[string]string{"a": "A", "b": "B"})
				s.Want(groupAddress, core.Object{"id": s.Groups()[0].ID, "succeeded_count": 2, "unconfirmed_count": 0})
				s.Plan().Must().WantEmpty()
				s.Apply().Must()
				s.WantCount(t, mockserver.RouteBatch, 1)
				s.wantUntouched(2, 2)
				s.Destroy().Must()
				s.wantNoMedia()
			})
		}
	}
}

// Of an accepted batch that says no, only an id without an error of its own is
// held.
// Fault F22.
func TestGroup_acceptedInPartAlthoughItSaysNo(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
		reply["success"] = false
		results := reply["results"].([]any)
		results[1].(map[string]any)["error"] = "broken"
		reply["results"] = []any{results[0], results[1], map[string]any{"prompt_index": 2, "error": "no"}}
	}})
	result := s.applies(map[string]string{"a": "A", "b": "B", "c": "C", "d": "D"})
	made := s.Groups()[0].Generations
	s.Want(groupAddress, core.Object{
		`generations["a"].id`: made[0].ID, `generations["b"].id`: nil, `generations["c"].id`: nil, `generations["d"].id`: nil, "unconfirmed_count": 3,
	})
	s.WantWarning(result.Diagnostics, "Unconfirmed Prompts: group", `"b"`, `"c"`, `"d"`, made[1].ID)
	if reason, _ := s.Value(groupAddress, `generations["b"].error`).(string); !strings.Contains(reason, "broken") || !strings.Contains(reason, made[1].ID) {
		t.Errorf("the reason is %q", reason)
	}
	s.Plan().Must().WantEmpty()
	s.wantUntouched(4, 4)
	s.WantCount(t, mockserver.RouteBatch, 1)
}

// A reply that says no and names ids, without a word of credits, settles
// nothing: the ids are told, and not held.
// Fault F22.
func TestGroup_unknownIfItSaysNoAndNamesIDs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bool", "text", "207"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test := sayingNo[name]
			s := newScenario(t, func(o *mockserver.Options) { o.Variant.SuccessCode = test.code })
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) {
				reply["credits_deducted"], reply["successful_submissions"] = nil, 0
				maps.Copy(reply, test.says)
			}})
			result := s.applies(map[string]string{"a": "A", "b": "B"})
			made := s.Groups()[0]
			s.WantWarning(result.Diagnostics, "Unconfirmed Prompts: group", made.Generations[0].ID, made.Generations[1].ID, fmt.Sprintf("names the group %q", made.ID))
			s.Want(groupAddress, core.Object{"unconfirmed_count": 2, `generations["a"].id`: nil})
			s.Plan().Must().WantEmpty()
			s.Apply().Must()
			s.WantCount(t, mockserver.RouteBatch, 1)
			s.Destroy().Must()
			s.Clock.Advance(time.Hour)
			s.wantUntouched(2, 2)
		})
	}
}

// max_credits counts what was accepted, and what is unknown, however the reply says
// no: a limit of 3 let 10 through.
// Fault F22.
func TestGroup_maxCreditsCountsWhatSaysNo(t *testing.T) {
	t.Parallel()
	for name, credits := range map[string]any{"accepted": 1, "unknown": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 100, Rewrite: func(reply map[string]any) {
				reply["success"], reply["successful_submissions"], reply["credits_deducted"] = false, nil, credits
			}})
			for i := range 10 {
				s.Resource(fmt.Sprintf("mediagen_generation_group.g%d", i), core.Object{"character_id": "ch_1", "prompts": texts(map[string]string{"a": "A"})})
			}
			s.allowCredits(10, 1)
			plan := s.Plan().Must()
			s.allowCredits(3, 1)
			s.ApplyPlan(plan)
			check.Equal(t, "prompts charged", s.charged(), 3)
		})
	}
}

// Sums of what no credits can be end as null, with a warning: they were +Inf,
// which no state can hold.
// Fault F24.
func TestGroup_creditsBeyondReason(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 2, Rewrite: func(reply map[string]any) {
		reply["credits_deducted"], reply["remaining_balance"] = 1.7e308, -1e300
	}})
	result := s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"max_prompts_per_batch": 1})
	if warned := result.Diagnostics.Warnings().Find("Numbers Beyond Reason"); len(warned) != 2 || !strings.Contains(warned[0].Detail, "credits_deducted 1.7e+308") {
		t.Errorf("want a warning for each batch:\n%s", result.Diagnostics)
	}
	s.Want(groupAddress, core.Object{"succeeded_count": 2, "credits_deducted": nil, "remaining_balance": nil})
	s.Plan().Must().WantEmpty()
	s.wantUntouched(2, 2)
	s.WantCount(t, mockserver.RouteBatch, 2)
}

// Of a refused batch the reason comes first, then three of its prompts.
func TestGroup_refusalSaysTheReasonFirst(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	prompts := map[string]string{}
	for i := range 14 {
		prompts[fmt.Sprintf("p%02d", i)] = "A portrait at dawn"
	}
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Status: http.StatusPaymentRequired, Body: `{"error":"payment_required","message":"3 credits left"}`})
	s.group(prompts)
	refused := s.Apply().Diagnostics.Errors()
	if len(refused) != 1 {
		t.Fatalf("want one error, got:\n%s", refused)
	}
	detail := refused[0].Detail
	reason, rest, _ := strings.Cut(detail, "\n")
	check.True(t, "the reason comes first", strings.Contains(reason, "402 Payment Required") && strings.Contains(reason, "3 credits left"), detail)
	check.True(t, "three prompts", strings.Contains(rest, `"p02", and 11 more, of the character`), detail)
	check.True(t, "the advice comes last", strings.HasSuffix(detail, "Add credits, then apply again."), detail)
}
