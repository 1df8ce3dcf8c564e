package story_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type verdict struct {
	testing.TB
	text string
}

func (v *verdict) Helper()             {}
func (v *verdict) Logf(string, ...any) {}
func (v *verdict) Failed() bool        { return v.text != "" }
func (v *verdict) Fatal(values ...any) { v.Fatalf("%s", fmt.Sprint(values...)) }
func (v *verdict) Fatalf(format string, values ...any) {
	v.text = fmt.Sprintf(format, values...)
	runtime.Goexit()
}

const ourGroup, ourTraining = groupType + "g1", trainingType + "t1"

type misdeeds map[string]struct {
	misdeed func(*story)
	want    string
}

func (m misdeeds) judge(t *testing.T) {
	t.Helper()
	for name, test := range m {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := judge(t, test.misdeed)
			check.True(
				t,
				"the verdict",
				(test.want != "" || got == "") && strings.Contains(got, test.want),
				got,
				test.want,
			)
		})
	}
}

// Each story has a provider that breaks one promise, and is caught. Fault F29.
func TestChecksFail(t *testing.T) {
	tier.Long(t, "a story for each check that must fail")
	t.Parallel()
	const group, training = ourGroup, ourTraining
	// The provider acts while it does not know of a limit.
	unlimited := func(edit func(*story), setting string, act func(*story) *core.Result) func(*story) {
		return func(s *story) {
			edit(s)
			s.settings = maps.Clone(s.settings)
			s.settings[setting] = int64(0)
			s.does(func() *core.Result { return act(s) }, false)
		}
	}
	logs := func(lines ...booking) func(*story) { return func(s *story) { s.logs(lines...) } }
	sending := booking{Request: "r1", Type: "training", Outcome: "sending"}
	misdeeds{
		"none": {func(s *story) { s.end(step{}) }, ""},
		"buys what no plan has announced": {func(s *story) {
			s.addPrompt()
			s.does(func() *core.Result {
				s.Apply()
				return &core.Result{Plan: &core.Plan{}}
			}, true)
		}, `"g1 at night" was charged 1 times, the plan announced 0`},
		"does not buy what a plan has announced": {func(s *story) {
			s.addPrompt()
			s.does(s.onlyPlan, true)
		}, "nothing went wrong, the plan announced map[g1 at night:1], and the service charged map[]"},
		"buys more than max_purchases": {
			unlimited((*story).addPrompt, "max_purchases", (*story).applyPlan),
			"1 purchases were charged, and max_purchases allows 0",
		},
		"spends more than max_credits": {
			unlimited((*story).trainAgain, "max_credits", (*story).applyPlan),
			"100 credits were charged, and max_credits allows 0",
		},
		"plans more than max_credits": {
			unlimited((*story).trainAgain, "max_credits", (*story).onlyPlan),
			"the plan announces 100 credits, and max_credits allows 0",
		},
		"plans more than max_purchases": {
			unlimited((*story).addPrompt, "max_purchases", (*story).onlyPlan),
			"the plan announces 1 purchases, and max_purchases allows 0",
		},
		"keeps no log": {func(s *story) {
			s.addPrompt()
			s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey})
			s.do(simple("apply"), true)
		}, "the log has no line of the purchase"},
		"logs the generation of another prompt": {func(s *story) {
			s.logs(
				booking{
					Type:        "batch",
					Outcome:     "answered",
					Certain:     true,
					Prompts:     map[string]string{"a": hashOf("g1 at dusk"), "b": hashOf("g1 at noon")},
					Generations: map[string]string{"a": s.Value(group, `generations["b"].id`).(string)},
				},
			)
		}, `for "a", which is of "g1 at noon"`},
		"logs what the service does not have": {
			logs(booking{Type: "batch", Outcome: "answered", Generations: map[string]string{"a": "gen_of_nobody"}}),
			"the generation gen_of_nobody, which the service does not have",
		},
		"logs half of a purchase": {logs(sending, sending), "do not come in pairs"},
		"forgets a group": {func(s *story) {
			s.Forget(group)
			s.checkNames(nil)
		}, "is at the service and no longer in the state, and nothing says so"},
		"drops what a stranger does not find, and says so": {func(s *story) {
			credential{key: strangersKey}.use(s)
			s.does(func() *core.Result {
				for id := range s.inState() {
					s.told.WriteString(id)
				}
				s.Forget(group)
				return &core.Result{}
			}, false)
		}, "is no longer in the state, and is still at the service"},
		"deletes what a key holds": {func(s *story) {
			s.does(func() *core.Result {
				plan := s.Plan()
				s.DeleteGenerationBehindTheBack(s.Value(group, `generations["b"].id`).(string))
				return &core.Result{Plan: plan}
			}, false)
		}, `of "b" was to be kept, and was deleted`},
		"loses what it has just started": {func(s *story) {
			s.StartTrainingElsewhere("bob")
			s.checkNames(nil)
		}, "is at the service, and neither the state nor a message names it"},
		"promises addresses that nobody knows": {func(s *story) {
			s.addPrompt()
			plan := s.Plan()
			plan.Change(group).After["result_urls"].(core.Object)["c"] = []any{}
			s.checkAddresses(plan)
		}, `g1 as planned: the addresses of "c" are []`},
		"leaves out the addresses of a key": {func(s *story) {
			plan := s.Plan()
			delete(plan.Change(group).After["result_urls"].(core.Object), "b")
			s.checkAddresses(plan)
		}, `result_urls has the keys ["a"], want ["a" "b"]`},
		"buys what is gone without a word": {func(s *story) {
			s.DeleteGenerationBehindTheBack(s.Value(group, `generations["b"].id`).(string))
			s.silently()
		}, `the generation of "b" is gone and bought again, and the plan does not say so`},
		"buys a group that is gone without a word": {func(s *story) {
			s.DeleteGroupBehindTheBack(s.Value(group, "id").(string))
			s.silently()
		}, "the group is gone and bought again, and nothing says so"},
		"deletes the media of a change without a word": {func(s *story) {
			s.config.groups[group].prompts["b"] = prompt{text: newText(group, "dusk")}
			s.silently()
		}, `of "b", were deleted, and the plan did not say so`},
		"deletes a group without a word": {func(s *story) {
			delete(s.config.groups, group)
			s.silently()
		}, "were deleted, and the plan did not say so"},
		"keeps silent about an unconfirmed batch": {func(s *story) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
			s.addPrompt()
			s.do(simple("apply"), false)
			s.silently()
		}, `the outcome of "c" is not confirmed, and the plan does not say so`},
		"keeps silent about an unconfirmed training": {func(s *story) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Nth: 1, DropBefore: true})
			s.trainAgain()
			s.do(simple("apply"), false)
			s.silently()
		}, "the training is unconfirmed, and the plan does not say so"},
		"keeps silent about a group without an id": {func(s *story) {
			nameless := func(reply map[string]any) { delete(reply, "group_id") }
			s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Rewrite: nameless})
			s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: nameless})
			s.do(
				command{
					replaceCommand + group,
					func(s *story) *core.Result { return s.Apply(core.Replacing(group)) },
					true,
				},
				false,
			)
			s.does(func() *core.Result {
				plan := s.Plan(core.Refresh(false))
				plan.Diagnostics = nil
				return &core.Result{Plan: plan}
			}, true)
		}, "the group has no id, and the plan does not say so"},
		"cries wolf": {func(s *story) {
			s.does(func() *core.Result {
				plan := s.Plan()
				plan.Diagnostics = append(
					plan.Diagnostics,
					core.Diagnostic{
						Address: group,
						Summary: "Generations Are Gone",
						Detail:  "They are gone at the service.",
					},
				)
				return s.ApplyPlan(plan)
			}, true)
		}, "the plan warns of what is not so"},
		"trains again for nothing": {func(s *story) {
			s.does(func() *core.Result { return s.Apply(core.Replacing(training)) }, true)
		}, "the training is replaced, and nothing has changed"},
		"mixes two prompts up": {func(s *story) {
			prompts := s.config.groups[group].prompts
			prompts["a"], prompts["b"] = prompts["b"], prompts["a"]
			s.checkState()
		}, `want that of "g1 at noon"`},
	}.judge(t)
}

// A purchase that is made, and whose reply is lost, is in a story whatever the
// seed. Fault F29.
func TestLostPurchaseIsNotRepeated(t *testing.T) {
	tier.Long(t, "random stories until one shows the fault")
	t.Parallel()
	for name, lost := range map[string]mockserver.Fault{
		"dropped": {DropAfterWork: true}, "in the body": {DropInBody: true}, "truncated": {Truncate: -1},
		"502":        {Status: 502, Body: "<html>bad gateway</html>", AfterWork: true},
		"redirected": {Status: 302, AfterWork: true},
	} {
		for _, route := range []string{mockserver.RouteBatch, mockserver.RouteStartTraining} {
			t.Run(name+" "+route, func(t *testing.T) {
				t.Parallel()
				lost := lost
				lost.Route = route
				lost.Times = 1
				if got := judge(t, func(s *story) {
					s.addPrompt()
					s.config.trainings[ourTraining].round++
					s.play(chapter{command: simple("apply"), faults: []fault{{Fault: lost}}})
					s.end(step{})
					s.booked = 0
					want := purchases{"g1 at dawn": 1, "g1 at noon": 1, "g1 at night": 1, "training of ada": 2}
					all := s.charged()
					s.must(maps.Equal(all, want), "charged were %v, want %v", all, want)
				}); got != "" {
					t.Errorf("the verdict is %q", got)
				}
			})
		}
	}
}

func (s *story) does(act func() *core.Result, undisturbed bool) {
	s.do(command{"", func(*story) *core.Result { return act() }, true}, undisturbed)
}

func (s *story) applyPlan() *core.Result { return s.ApplyPlan(s.Plan()) }

func (s *story) onlyPlan() *core.Result { return &core.Result{Plan: s.Plan()} }

func (s *story) trainAgain() {
	s.config.trainings[ourTraining].round++
	s.write()
}

// logs writes lines, with others around them if the first ends a request, and
// checks the books.
func (s *story) logs(lines ...booking) {
	s.booked = len(s.Ledger().Entries)
	file, err := os.OpenFile(s.log, os.O_APPEND|os.O_WRONLY, 0)
	check.Must(s.T, err)
	defer file.Close()
	if lines[0].Outcome != "sending" {
		before := lines[0]
		before.Outcome = "sending"
		before.Generations = nil
		lines = append([]booking{before}, lines...)
	}
	for _, line := range lines {
		check.Must(s.T, json.NewEncoder(file).Encode(line))
	}
	s.checkBooks(true)
}

func (s *story) addPrompt() {
	for address, g := range s.config.groups {
		g.prompts["c"] = prompt{text: newText(address, "night")}
	}
	s.write()
}

func (s *story) silently() {
	s.write()
	s.does(func() *core.Result {
		plan := s.Plan()
		plan.Diagnostics = nil
		return s.ApplyPlan(plan)
	}, true)
}

func judge(t *testing.T, misdeed func(*story)) string {
	t.Helper()
	return verdictOf(t, func(v *verdict) {
		s := newStory(
			v,
			cast{groups: []string{ourGroup}, trainings: []string{ourTraining}},
			habits{settings: core.Object{}},
		)
		g := newGroup("ada")
		g.prompts = map[string]prompt{"a": {text: newText(ourGroup, "dawn")}, "b": {text: newText(ourGroup, "noon")}}
		s.config = configuration{
			groups:    map[string]*group{ourGroup: g},
			trainings: map[string]*training{ourTraining: {character: "ada", wait: true}},
		}
		s.write()
		s.do(simple("apply"), true)
		misdeed(s)
	})
}

// verdictOf returns why a test has failed; "" if it has not.
func verdictOf(t *testing.T, test func(v *verdict)) string {
	t.Helper()
	v := &verdict{TB: t}
	told := make(chan struct{})
	go func() {
		defer close(told)
		test(v)
	}()
	<-told
	return v.text
}
