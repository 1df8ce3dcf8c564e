package story_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A provider that breaks a promise in a step is caught. Fault F29.
func TestStepChecksFail(t *testing.T) {
	tier.Long(t, "a story for each check that must fail")
	t.Parallel()
	const group, training = ourGroup, ourTraining
	// "a" has neither a text nor a photo.
	refused := func(errors ...core.Diagnostic) func(*story) {
		return func(s *story) {
			s.do(simple("refresh"), true)
			s.checkRefused(&core.Result{Diagnostics: errors}, "a")
		}
	}
	// The text of "a" has changed.
	imported := func(spoil func(*core.Plan)) func(*story) {
		return func(s *story) {
			s.config.groups[group].prompts["a"] = prompt{text: newText(group, "dusk")}
			s.write()
			ids := s.importable(group)
			plan := s.reimport(group, ids).Plan.Must()
			spoil(plan)
			s.checkImported(plan, group, ids)
		}
	}
	plans := func(plan *core.Plan, key string, generation any) {
		plan.Change(group).After["generations"].(core.Object)[key] = generation
	}
	misdeeds{
		"no mistake":                  {mistaken(group, "a", simple("apply")).take, ""},
		"no mistake in a new group":   {mistaken(groupType+"g2", "a", simple("destroy")).take, ""},
		"accepts a prompt of nothing": {refused(), `prompts["a"] has nothing to render, and the errors are: `},
		"refuses another attribute": {
			refused(core.Diagnostic{Severity: core.Error, Path: "character_id"}),
			`prompts["a"] has nothing to render`,
		},
		"only warns": {
			refused(core.Diagnostic{Severity: core.Warning, Path: `prompts["a"]`}),
			`prompts["a"] has nothing to render`,
		},
		"refuses after it has asked": {
			refused(core.Diagnostic{Severity: core.Error, Path: `prompts["a"]`}),
			"the configuration was refused, after 4 requests",
		},
		"imports": {imported(func(*core.Plan) {}), ""},
		"buys another text without a word": {
			imported(func(plan *core.Plan) { plan.Diagnostics = nil }),
			`the import of "a" has "g1 at dawn", the configuration "g1 at dusk", bought is true`,
		},
		"names what has not changed": {imported(func(plan *core.Plan) {
			plan.Diagnostics = append(
				plan.Diagnostics,
				core.Diagnostic{
					Address: group,
					Summary: "Imported Prompts Differ",
					Detail:  `"b" has rendered other texts`,
				},
			)
		}), `the import of "b" has "g1 at noon", the configuration "g1 at noon", bought is false`},
		"takes another prompt over": {imported(func(plan *core.Plan) {
			plan.Diagnostics = nil
			plans(plan, "a", plan.Change(group).Before["generations"].(core.Object)["a"])
		}), `"a" is "g1 at dusk", and takes over the generation of "g1 at dawn"`},
		"buys what it has imported": {
			imported(func(plan *core.Plan) { plans(plan, "b", core.Unknown) }),
			`"b" was imported, and is bought again`,
		},
		"keeps what it has imported": {
			func(s *story) { importing(group, map[string]string{"a": "dusk"}, allInterludes).take(s) },
			"",
		},
		"keeps the training that it has imported": {func(s *story) {
			s.trainAgain()
			importingTraining(training, allInterludes).take(s)
		}, ""},
		"refuses another character than it has imported": {func(s *story) {
			importingTraining(training, nil).take(s)
			s.config.trainings[training].character = "bob"
			s.write()
			s.end(step{})
		}, ""},
		"trains again what it has imported": {func(s *story) {
			job := s.Value(training, "id").(string)
			s.do(command{text: "import", run: func(s *story) *core.Result { return s.importJob(training, job) }}, false)
			plan := s.Plan()
			plan.Change(training).Action = core.Replace
			s.checkTrainingImported(plan, training, job)
		}, "was imported, and the plan is to replace it"},
		"replaces what it has imported": {imported(func(plan *core.Plan) { plan.Change(group).Action = core.Replace }),
			"was imported, and the plan is to replace it"},
	}.judge(t)
}

// A provider that takes for its own, or for gone, what is not, is caught.
// Fault F29.
func TestOwnershipChecksFail(t *testing.T) {
	tier.Long(t, "a story for each check that must fail")
	t.Parallel()
	const group, training = ourGroup, ourTraining
	does := func(misdeed func(*story)) func(*story) {
		return func(s *story) {
			s.does(func() *core.Result {
				misdeed(s)
				return &core.Result{}
			}, false)
		}
	}
	mistyped := func(misdeed func(*story)) func(*story) {
		return func(s *story) {
			mistypedAddress.use(s)
			misdeed(s)
		}
	}
	misdeeds{
		"deletes the group of a refusal": {
			does(func(s *story) { s.DeleteGroupBehindTheBack(s.theirs.ID) }),
			"was deleted, and no state held it",
		},
		"adopts the group of somebody else": {does(func(s *story) {
			s.Forget(group)
			s.Import(group, `{"a":"`+s.theirs.Generations[0].ID+`"}`)
		}), "of somebody else"},
		"adopts the training of somebody else": {does(func(s *story) {
			job := s.StartTrainingElsewhere("bob")
			s.elsewhere[job] = true
			s.Forget(training)
			s.Import(training, "bob/"+job)
		}), "has the job of somebody else"},
		"cancels the training of somebody else": {func(s *story) {
			job := s.StartTrainingElsewhere("bob")
			s.elsewhere[job] = true
			does(func(s *story) { s.CancelTrainingElsewhere("bob", job) })(s)
		}, "of somebody else is cancelled"},
		"deletes more than it has imported": {func(s *story) {
			a := s.Value(group, `generations["a"].id`).(string)
			b := s.Value(group, `generations["b"].id`).(string)
			s.do(
				command{
					text: "import",
					run:  func(s *story) *core.Result { return s.reimport(group, map[string]string{"a": a}) },
				},
				false,
			)
			does(func(s *story) { s.DeleteGenerationBehindTheBack(b) })(s)
		}, "was deleted, and no state held it"},
		"cancels a job that is kept": {func(s *story) {
			s.config.trainings[training].wait = false
			s.trainAgain()
			s.do(simple("apply"), true)
			s.does(func() *core.Result {
				plan := s.Plan()
				s.CancelTrainingElsewhere("ada", s.Value(training, "id").(string))
				return &core.Result{Plan: plan}
			}, false)
		}, "is cancelled, and the object was to be kept"},
		"forgets a job that it has imported, and says so": {func(s *story) {
			s.config.trainings[training].wait = false
			s.trainAgain()
			s.do(simple("apply"), true)
			importingTraining(training, nil).take(s)
			s.misled = true
			s.do(simple("destroy"), false)
		}, ""},
		"forgets a group of unconfirmed prompts, and says so": {func(s *story) {
			replace := command{
				replaceCommand + group,
				func(s *story) *core.Result { return s.Apply(core.Replacing(group)) },
				true,
			}
			s.Fault(
				mockserver.Fault{
					Route:   mockserver.RouteBatch,
					Rewrite: func(reply map[string]any) { delete(reply, "results") },
				},
			)
			s.do(replace, false)
			s.misled = true
			s.do(replace, false)
		}, ""},
		"says at plan that a mistyped address is wrong": {func(s *story) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, DropBefore: true})
			delete(s.config.groups, group)
			s.trainAgain()
			s.do(simple("apply"), false)
			mistypedAddress.use(s)
			s.does(s.applyPlan, false)
		}, ""},
		"makes no mistake at a mistyped address": {mistyped(func(s *story) { s.do(simple("apply"), false) }), ""},
		"buys at a mistyped address": {mistyped(func(s *story) {
			s.does(func() *core.Result {
				s.Workspace.Provider(s.settings)
				s.addPrompt()
				return s.ApplyPlan(s.Plan())
			}, false)
		}), "at a mistyped address the service charged map[g1 at night:1]"},
		"deletes at a mistyped address": {mistyped(does(func(s *story) {
			s.Workspace.Provider(s.settings)
			s.Destroy()
		})), "at a mistyped address gen_"},
		"keeps silent at a mistyped address": {
			mistyped(does(func(s *story) { s.Apply() })),
			"at a mistyped address nothing was found, and no message says so",
		},
		"drops what one read has not found": {func(s *story) {
			flap.set(s)
			does(func(s *story) {
				for id := range s.inState() {
					s.told.WriteString(id)
				}
				s.Forget(group)
			})(s)
		}, "is no longer in the state, and is still at the service"},
	}.judge(t)
}
