package generation_test

import (
	"maps"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// What a plan buys is unknown as long as a prompt, max_attempts or a price is; the apply
// knows it. What buys nothing leaves the numbers as they are.
// Fault F28.
func TestGroup_tallyOfWhatIsNotKnownYet(t *testing.T) {
	t.Parallel()
	prompts := func(more core.Object) core.Object {
		all := core.Object{"a": core.Object{"prompt": "A"}, "b": core.Object{"prompt": "B fails"}}
		maps.Copy(all, more)
		return core.Object{"prompts": all}
	}
	for name, test := range map[string]struct {
		edit             core.Object
		price            any
		planned, cost    any
		purchases, costs any
	}{
		"prompts":       {core.Object{"prompts": core.UnknownUntilApply(prompts(core.Object{"c": core.Object{"prompt": "C"}})["prompts"])}, 2.5, core.Unknown, core.Unknown, int64(3), 7.5},
		"a prompt":      {prompts(core.Object{"c": core.Object{"prompt": core.UnknownUntilApply("C")}}), 2.5, core.Unknown, core.Unknown, int64(3), 7.5},
		"an option":     {prompts(core.Object{"c": core.Object{"prompt": "C", "face_swap": core.UnknownUntilApply(true)}}), 2.5, core.Unknown, core.Unknown, int64(3), 7.5},
		"max_attempts":  {core.Object{"max_attempts": core.UnknownUntilApply(2)}, 2.5, core.Unknown, core.Unknown, int64(3), 7.5},
		"the price":     {prompts(core.Object{"c": core.Object{"prompt": "C"}}), core.UnknownUntilApply(2.5), int64(3), core.Unknown, int64(3), 7.5},
		"nothing":       {prompts(core.Object{"c": core.Object{"prompt": "C"}}), 2.5, int64(3), 7.5, int64(3), 7.5},
		"another price": {prompts(core.Object{"c": core.Object{"prompt": "C"}}), 1.0, int64(3), int64(6), int64(3), int64(6)},
		"a title":       {core.Object{"title": "Faces"}, 1.0, int64(2), int64(5), int64(2), int64(5)},
		"without one":   {core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A"}}}, 1.0, int64(2), int64(5), int64(2), int64(5)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.FailPrompt("fails", "no")
			config := core.Object{"character_id": "ch_1", "prompts": prompts(nil)["prompts"]}
			s.Resource(groupAddress, config)
			s.set(core.Object{"prices": core.Object{"generation": 2.5}})
			s.Apply().Must()
			maps.Copy(config, test.edit)
			s.Resource(groupAddress, config)
			s.set(core.Object{"prices": core.Object{"generation": test.price}})
			plan := s.Plan(core.Refresh(name != "the price")).Must() // without which nothing can be read
			after := plan.Change(groupAddress).After
			check.True(t, "the plan", after["purchases"] == test.planned && after["cost"] == test.cost, after["purchases"], after["cost"])
			s.ApplyPlan(plan).Must()
			s.Want(groupAddress, core.Object{"purchases": test.purchases, "cost": test.costs})
			check.Equal(t, "prompts charged", int64(s.charged()), test.purchases.(int64))
			s.Plan().Must().WantEmpty()
		})
	}
}

// An apply at other prices than its plan's fails, and buys nothing.
// Fault F28.
func TestGroup_pricesChangeBeforeTheApply(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.group(map[string]string{"a": "A"})
	s.set(core.Object{"prices": core.Object{"generation": 2.5}})
	plan := s.Plan().Must()
	s.set(core.Object{"prices": core.Object{"generation": 3.0}})
	said := s.ApplyPlan(plan).Diagnostics
	check.Contains(t, "the error", said.String(), "Provider produced inconsistent final plan", "cost")
	check.Equal(t, "prompts charged", s.charged(), 0)
}
