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
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// stranger buys two generations from another workspace, and returns the group.
func (s scenario) stranger() string {
	s.T.Helper()
	other := scenario{s.Service.Scenario(s.T)}
	other.applies(map[string]string{"x": "X", "y": "Y"})
	s.ResetJournal()
	return other.Value(groupAddress, "id").(string)
}

// wantUntouched checks that nothing was deleted, and what was charged.
func (s scenario) wantUntouched(media, charged int) {
	s.T.Helper()
	s.WantCount(s.T, mockserver.RouteDeleteGroup, 0)
	s.WantCount(s.T, mockserver.RouteDelete, 0)
	check.True(
		s.T,
		"media, and prompts charged",
		s.Media() == media && s.charged() == charged,
		s.Media(),
		s.charged(),
		media,
		charged,
	)
}

// A refusal may name any group: the one of another configuration was taken for
// an empty one that the refused batch had made, and deleted.
// Fault F19.
func TestGroup_refusalNamesAStrangersGroup(t *testing.T) {
	t.Parallel()
	for _, status := range []int{
		http.StatusBadRequest,
		http.StatusPaymentRequired,
		http.StatusConflict,
		http.StatusUnprocessableEntity,
		http.StatusOK,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			theirs := s.stranger()
			fault := mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1}
			if status == http.StatusOK {
				s.RejectPrompt("bad", "not allowed")
				fault.Rewrite = func(reply map[string]any) { reply["group_id"] = theirs }
			} else {
				fault.Status = status
				fault.Body = fmt.Sprintf(`{"error":"no","message":"no","group_id":%q}`, theirs)
			}
			s.Fault(fault)
			s.group(map[string]string{"a": "bad"})
			result := s.Apply()
			s.WantError(
				result.Diagnostics,
				"Unable to Submit Generation Batch",
				"The service says that it refused",
				fmt.Sprintf("names the group %q", theirs),
				"empty and yours",
			)
			check.True(
				t,
				"only the service knows that",
				!strings.Contains(strings.ToLower(result.Diagnostics.String()), "nothing was"),
				result.Diagnostics,
			)
			check.True(t, "nothing is in the state", s.State(groupAddress) == nil)
			s.Destroy().Must()
			s.wantUntouched(2, 2)
		})
	}
}

// An answer that leaves the outcome open adopts no group either: destroy would
// delete it. Fault F19.
func TestGroup_errorNamesAStrangersGroup(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"500": {Status: 500, Body: `{"error":"internal","message":"boom","group_id":%q}`},
		"408": {Status: 408, Body: `{"error":"slow","group_id":%q}`},
		"a 200 that says no and names a generation": {
			Body: `{"success":false,"group_id":%q,"results":[{"prompt_index":0,"generation_id":"gen_000001"}]}`,
		},
	}, func(t *testing.T, fault mockserver.Fault) {
		s := newScenario(t)
		theirs := s.stranger()
		fault.Route = mockserver.RouteBatch
		fault.Nth = 1
		fault.Body = fmt.Sprintf(fault.Body, theirs)
		s.Fault(fault)
		s.WantWarning(
			s.applies(map[string]string{"a": "A"}).Diagnostics,
			"Unconfirmed Prompts: group",
			fmt.Sprintf("names the group %q", theirs),
			"empty and yours",
		)
		s.Want(groupAddress, core.Object{"unconfirmed_count": int64(1), `generations["a"].id`: nil})
		check.True(
			t,
			"no id",
			strings.HasPrefix(s.Value(groupAddress, "id").(string), "unconfirmed-"),
			s.Value(groupAddress, "id"),
		)
		s.Plan().Must().WantEmpty()
		s.Destroy().Must()
		s.wantUntouched(2, 2)
		s.WantCount(t, mockserver.RouteBatch, 1)
	})
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
// held. Fault F22.
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
		`generations["a"].id`: made[0].ID,
		`generations["b"].id`: nil,
		`generations["c"].id`: nil,
		`generations["d"].id`: nil,
		"unconfirmed_count":   3,
	})
	s.WantWarning(result.Diagnostics, "Unconfirmed Prompts: group", `"b"`, `"c"`, `"d"`, made[1].ID)
	check.Contains(t, "the reason", fmt.Sprint(s.Value(groupAddress, `generations["b"].error`)), "broken", made[1].ID)
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
				reply["credits_deducted"] = nil
				reply["successful_submissions"] = 0
				maps.Copy(reply, test.says)
			}})
			result := s.applies(map[string]string{"a": "A", "b": "B"})
			made := s.Groups()[0]
			s.WantWarning(
				result.Diagnostics,
				"Unconfirmed Prompts: group",
				made.Generations[0].ID,
				made.Generations[1].ID,
				fmt.Sprintf("names the group %q", made.ID),
			)
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

// max_credits counts what was accepted, and what is unknown, however the reply
// says no: a limit of 3 let 10 through. Fault F22.
func TestGroup_maxCreditsCountsWhatSaysNo(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]any{"accepted": 1, "unknown": nil}, func(t *testing.T, credits any) {
		s := newScenario(t)
		s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 100, Rewrite: func(reply map[string]any) {
			reply["success"] = false
			reply["successful_submissions"] = nil
			reply["credits_deducted"] = credits
		}})
		for i := range 10 {
			s.Resource(
				fmt.Sprintf("mediagen_generation_group.g%d", i),
				core.Object{"character_id": "ch_1", "prompts": texts(map[string]string{"a": "A"})},
			)
		}
		s.allowCredits(10, 1)
		plan := s.Plan().Must()
		s.allowCredits(3, 1)
		s.ApplyPlan(plan)
		check.Equal(t, "prompts charged", s.charged(), 3)
	})
}

// Sums of what no credits can be end as null, with a warning: they were +Inf,
// which no state can hold.
// Fault F24.
func TestGroup_creditsBeyondReason(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 2, Rewrite: func(reply map[string]any) {
		reply["credits_deducted"] = 1.7e308
		reply["remaining_balance"] = -1e300
	}})
	result := s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"max_prompts_per_batch": 1})
	warned := result.Diagnostics.Warnings().Find("Numbers Beyond Reason")
	check.True(
		t,
		"a warning for each batch",
		len(warned) == 2 && strings.Contains(warned[0].Detail, "credits_deducted 1.7e+308"),
		result.Diagnostics,
	)
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
	s.Fault(
		mockserver.Fault{
			Route:  mockserver.RouteBatch,
			Status: http.StatusPaymentRequired,
			Body:   `{"error":"payment_required","message":"3 credits left"}`,
		},
	)
	s.group(prompts)
	refused := s.Apply().Diagnostics.Errors()
	check.Equal(t, "errors", len(refused), 1)
	detail := refused[0].Detail
	reason, rest, _ := strings.Cut(detail, "\n")
	check.True(
		t,
		"the reason comes first",
		strings.Contains(reason, "402 Payment Required") && strings.Contains(reason, "3 credits left"),
		detail,
	)
	check.True(t, "three prompts", strings.Contains(rest, `"p02", and 11 more, of the character`), detail)
	check.True(t, "the advice comes last", strings.HasSuffix(detail, "Add credits, then apply again."), detail)
}

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
// they are unconfirmed, nothing is deleted, and nothing is bought again. A
// count of no successes proves nothing. The group is in the state if anything
// is counted, and nothing's to delete. Fault F14.
func TestGroup_acceptedIsNotRejected(t *testing.T) {
	tier.Long(t, "28 kinds of replies to a batch")
	t.Parallel()
	type reply = map[string]any
	waiting := reply{"status": "processing"}
	refused := reply{"status": "failed", "error": "no"}
	for name, test := range map[string]struct {
		reply       reply
		unconfirmed int64
	}{
		"in the background": {
			reply{
				"status":                 "processing",
				"total_requested":        0,
				"successful_submissions": 0,
				"failed_submissions":     0,
				"results":                []any{},
				"credits_deducted":       2,
			},
			2,
		},
		"results are null": {
			reply{"status": "processing", "successful_submissions": 0, "results": nil, "credits_deducted": 2},
			2,
		},
		"results are missing": {reply{"status": "processing", "successful_submissions": 0}, 2},
		"entries without ids": {
			reply{
				"status":                 "processing",
				"successful_submissions": 0,
				"results":                []any{entry(0, waiting), entry(1, waiting)},
			},
			2,
		},
		"entries that say nothing": {
			reply{"successful_submissions": 0, "failed_submissions": 0, "results": []any{entry(0, nil), entry(1, nil)}},
			2,
		},
		"failed as a whole": {reply{"status": "failed", "message": "no", "results": []any{}}, 2},
		"the counts alone, and charged": {
			reply{
				"status":                 "failed",
				"total_requested":        2,
				"successful_submissions": 0,
				"failed_submissions":     2,
				"credits_deducted":       2,
			},
			2,
		},
		"counts that contradict": {
			reply{"status": "failed", "total_requested": 3, "successful_submissions": 0, "failed_submissions": 2},
			2,
		},
		"counts of some": {
			reply{"status": "failed", "total_requested": 2, "successful_submissions": 0, "failed_submissions": 1},
			2,
		},
		"none successful, none failed": {
			reply{"total_requested": 2, "successful_submissions": 0, "failed_submissions": 0},
			2,
		},
		"counts against an entry": {
			reply{
				"failed_submissions":     2,
				"successful_submissions": 0,
				"results":                []any{entry(0, waiting), entry(1, refused)},
			},
			1,
		},
		"one refused, one left out": {reply{"successful_submissions": 0, "results": []any{entry(0, refused)}}, 1},
		"entries that refuse, and money": {
			reply{
				"failed_submissions": 2,
				"results":            []any{entry(0, refused), entry(1, refused)},
				"credits_deducted":   2,
			},
			0,
		},
		"an id with the error": {reply{"failed_submissions": 2, "results": []any{
			entry(
				0,
				reply{"generation_id": "gen_000001", "error": "no"},
			), entry(1, reply{"generation_id": "gen_000002", "error": "no"})}}, 0},
	} {
		for _, code := range []int{200, 202} {
			t.Run(fmt.Sprint(name, " ", code), func(t *testing.T) {
				t.Parallel()
				s := newScenario(t, func(o *mockserver.Options) { o.Variant.SuccessCode = code })
				s.answers(test.reply)
				result := s.applies(
					map[string]string{"a": "A", "b": "B"},
					core.Object{"refresh_finished": false, "wait_for_completion": false},
				)
				check.Equal(
					t,
					"warnings",
					len(result.Diagnostics.Warnings().Find("Unconfirmed Prompts: group")),
					int(min(test.unconfirmed, 1)),
				)
				group := s.Groups()[0].ID
				counted := test.reply["credits_deducted"] != nil || strings.HasPrefix(name, "an id")
				check.Equal(t, "the group is in the state", s.Value(groupAddress, "id") == group, counted)
				check.True(
					t,
					"the group is named",
					strings.Contains(result.Diagnostics.String(), group),
					result.Diagnostics,
				)
				s.Want(groupAddress, core.Object{
					"unconfirmed_count":         test.unconfirmed,
					`generations["a"].attempts`: 1,
					`generations["b"].attempts`: 1,
					"credits_deducted":          test.reply["credits_deducted"],
				})
				for range 3 {
					s.Plan().Must().WantEmpty()
					s.Apply().Must()
				}
				s.WantCount(t, mockserver.RouteBatch, 1)
				s.WantCount(t, mockserver.RouteDeleteGroup, 0)
				s.Destroy().Must()
				check.True(
					t,
					"groups left, prompts charged",
					(len(s.Groups()) == 1 || s.Count(mockserver.RouteDelete) == 2) && s.charged() == 2,
					len(s.Groups()),
					s.charged(),
				)
			})
		}
	}
}

// Fault F14.
func TestGroup_acceptedInTheBackgroundIsBoughtAgainWhenAsked(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.answers(
		map[string]any{"status": "processing", "successful_submissions": 0, "results": []any{}, "credits_deducted": 1},
	)
	s.applies(map[string]string{"a": "A"})
	s.group(map[string]string{"a": "A"}, core.Object{"max_attempts": 2})
	s.buys(nil, 0)
	s.group(nil, again(map[string]string{"a": "A"}, "a"))
	s.buys([]string{`generations["a"]`}, 1)
	s.Want(groupAddress, core.Object{"succeeded_count": 1, `generations["a"].attempts`: 1, "credits_deducted": 2})
	s.Plan().Must().WantEmpty()
	check.Equal(t, "groups made", len(s.Groups()), 1)
}

// What the reply proves refused is an error. The empty group that it names is
// quoted, and nothing else.
// Fault F14.
func TestGroup_rejectedByEntriesOrByCounts(t *testing.T) {
	t.Parallel()
	type reply = map[string]any
	check.Each(t, map[string]reply{
		"entries": {
			"results":          []any{entry(0, reply{"error": "no"}), entry(1, reply{"status": "REJECTED"})},
			"credits_deducted": 0,
		},
		"entries that stopped": {
			"results": []any{entry(0, reply{"error": "no"}), entry(1, reply{"status": "cancelled"})},
		},
		"counts": {
			"total_requested":        2,
			"successful_submissions": 0,
			"failed_submissions":     2,
			"credits_deducted":       0,
			"results":                []any{},
		},
		"failed alone": {"failed_submissions": 2},
		"counts and some entries": {
			"successful_submissions": 0,
			"failed_submissions":     2,
			"results":                []any{entry(1, reply{"status": "failed"})},
		},
	}, func(t *testing.T, answer reply) {
		s := newScenario(t)
		s.RejectPrompt("bad", "not allowed")
		s.answers(answer)
		s.group(map[string]string{"a": "bad", "b": "bad too"})
		result := s.Apply()
		s.WantError(
			result.Diagnostics,
			"Unable to Submit Generation Batch",
			fmt.Sprintf("names the group %q", s.Groups()[0].ID),
		)
		check.True(t, "nothing is in the state", s.State(groupAddress) == nil)
		s.wantUntouched(0, 0)
	})
}

// What may be too many prompts for one batch names the setting, and nothing
// else does. Fault F38.
func TestGroup_refusalForTheSizeOfABatch(t *testing.T) {
	t.Parallel()
	const plain = `{"error":"bad_request","message":"at most 2 prompts"}`
	type row struct {
		status int
		body   string
		texts  []string
		named  bool
	}
	check.Each(t, map[string]row{
		"400": {400, plain, []string{"A", "B", "C"}, true},
		"413": {413, "<html>Request Entity Too Large</html>", []string{"A", "B", "C"}, true},
		"422": {422, plain, []string{"A", "B", "C"}, true},
		"422 about prompts": {
			422,
			`{"detail":[{"loc":["body","prompts"],"msg":"too long"}]}`,
			[]string{"A", "B"},
			true,
		},
		"422 about the body": {
			422,
			`{"detail":[{"loc":["body"],"msg":"Value error, at most 2 prompts a batch"}]}`,
			[]string{"A", "B", "C"},
			true,
		},
		"422 about prompts, and their type": {
			422,
			`{"detail":[{"loc":["body","prompts","list[Prompt]"],"msg":"at most 2 items"}]}`,
			[]string{"A", "B", "C"},
			true,
		},
		"422 about their count": {
			422,
			`{"detail":[{"loc":["body","prompt_count"],"msg":"less than or equal to 2"}]}`,
			[]string{"A", "B", "C"},
			true,
		},
		"422 with a text":          {422, `{"detail":"at most 2 prompts"}`, []string{"A", "B", "C"}, true},
		"422 with a detail alone":  {422, `{"detail":[{"msg":"at most 2 prompts"}]}`, []string{"A", "B"}, true},
		"422 with an empty detail": {422, `{"detail":[]}`, []string{"A", "B"}, true},
		"422 about one of a list": {
			422,
			`{"detail":[{"loc":["body",1,"prompt"],"msg":"no"}]}`,
			[]string{"A", "B"},
			false,
		},
		"422 about one, as a whole": {
			422,
			`{"detail":[{"loc":["body","prompts",1],"msg":"no"}]}`,
			[]string{"A", "B"},
			false,
		},
		"422 about one": {
			422,
			`{"detail":[{"loc":["body","prompts",1,"prompt"],"msg":"no"}]}`,
			[]string{"A", "B"},
			false,
		},
		"422 about another": {
			422,
			`{"detail":[{"loc":["body","character_id"],"msg":"no"}]}`,
			[]string{"A", "B"},
			false,
		},
		"402":        {402, plain, []string{"A", "B", "C"}, false},
		"one prompt": {422, plain, []string{"A"}, false},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Status: test.status, Body: test.body})
		config := map[string]string{}
		for _, text := range test.texts {
			config[strings.ToLower(text)] = text
		}
		s.group(config)
		found := s.Apply().Diagnostics.Errors()
		check.Equal(t, "errors", len(found), 1)
		cure := fmt.Sprintf("had %d prompts", len(test.texts))
		check.Equal(t, "the cure is named", strings.Contains(found.String(), cure), test.named)
		check.Equal(t, "the setting is named", strings.Contains(found.String(), "max_prompts_per_batch"), test.named)
		check.Equal(t, "purchases", s.charged(), 0)
		s.WantCount(t, mockserver.RouteBatch, 1)
		if !test.named {
			return
		}
		s.Set(core.Object{"max_prompts_per_batch": int64(1)})
		s.Apply().Must()
		check.Equal(t, "purchases", s.charged(), len(test.texts))
	})
}
