package story_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// A provider that breaks a promise in a step is caught. Fault F29.
func TestStepChecksFail(t *testing.T) {
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
		"no mistake":                       {mistaken(group, "a", simple("apply")).take, ""},
		"no mistake in a new group":        {mistaken(groupType+"g2", "a", simple("destroy")).take, ""},
		"accepts a prompt of nothing":      {refused(), `prompts["a"] has nothing to render, and the errors are: `},
		"refuses another attribute":        {refused(core.Diagnostic{Severity: core.Error, Path: "character_id"}), `prompts["a"] has nothing to render`},
		"only warns":                       {refused(core.Diagnostic{Severity: core.Warning, Path: `prompts["a"]`}), `prompts["a"] has nothing to render`},
		"refuses after it has asked":       {refused(core.Diagnostic{Severity: core.Error, Path: `prompts["a"]`}), "the configuration was refused, after 4 requests"},
		"imports":                          {imported(func(*core.Plan) {}), ""},
		"buys another text without a word": {imported(func(plan *core.Plan) { plan.Diagnostics = nil }), `the import of "a" has "g1 at dawn", the configuration "g1 at dusk", bought is true`},
		"names what has not changed": {imported(func(plan *core.Plan) {
			plan.Diagnostics = append(plan.Diagnostics, core.Diagnostic{Address: group, Summary: "Imported Prompts Differ", Detail: `"b" has rendered other texts`})
		}), `the import of "b" has "g1 at noon", the configuration "g1 at noon", bought is false`},
		"takes another prompt over": {imported(func(plan *core.Plan) {
			plan.Diagnostics = nil
			plans(plan, "a", plan.Change(group).Before["generations"].(core.Object)["a"])
		}), `"a" is "g1 at dusk", and takes over the generation of "g1 at dawn"`},
		"buys what it has imported": {imported(func(plan *core.Plan) { plans(plan, "b", core.Unknown) }), `"b" was imported, and is bought again`},
		"keeps what it has imported": {func(s *story) {
			importing(group, map[string]string{"a": "dusk"}, allInterludes).take(s)
		}, ""},
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
