package generation_test

import (
	"maps"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func (s scenario) allow(purchases int64) { s.Set(core.Object{"max_purchases": purchases}) }

func (s scenario) other(prompts map[string]string, more ...core.Object) {
	config := core.Object{"character_id": "ch_1", "title": "Portraits", "prompts": texts(prompts)}
	for _, object := range more {
		maps.Copy(config, object)
	}
	s.Resource(otherAddress, config)
}

const overLimit = "Purchase Limit Exceeded"

// A plan that announces more than is allowed is an error that names what it has
// counted, and nothing is bought.
// Fault F28.
func TestMaxPurchases_plan(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.allow(3)
	s.group(map[string]string{"a": "A", "b": "B"})
	s.other(map[string]string{"c": "C", "d": "D"})
	refused := s.Plan().Diagnostics.Errors()
	check.True(t, "one error, of the second", len(refused) == 1 && refused[0].Address == otherAddress, refused)
	s.WantError(
		refused,
		overLimit,
		`buys 4 so far`,
		`allows 3`,
		`- 2: generation group of character "ch_1": "a", "b"`,
		`: "c", "d"`,
		"raise max_purchases (MEDIAGEN_MAX_PURCHASES) to 4 or more",
		"-refresh=false",
	)
	s.Apply()
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.allow(4)
	s.Apply().Must()
	s.Plan().Must().WantEmpty()
}

// Equal objects count each, in the plan already: nothing is bought half way.
// Fault F28.
func TestMaxPurchases_equalObjects(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	prompts := texts(map[string]string{"a": "A", "b": "B", "c": "C"})
	for _, name := range []string{"g", "h", "i"} {
		s.Resource("mediagen_generation_group."+name, core.Object{"prompts": prompts})
	}
	s.allow(7)
	s.WantError(s.Apply().Diagnostics, overLimit, "buys 9 so far")
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.allow(9)
	s.Apply().Must()
	check.Equal(t, "prompts charged", s.charged(), 9)
}

// Only what an update buys counts.
func TestMaxPurchases_planOfAnUpdate(t *testing.T) {
	t.Parallel()
	type row struct {
		prompts map[string]string
		more    core.Object
		buys    int64
	}
	check.Each(t, map[string]row{
		"nothing":         {map[string]string{"a": "A", "b": "B"}, nil, 0},
		"title":           {map[string]string{"a": "A", "b": "B"}, core.Object{"title": "Faces"}, 0},
		"renamed":         {map[string]string{"a": "A", "c": "B"}, nil, 0},
		"removed":         {map[string]string{"a": "A"}, nil, 0},
		"added":           {map[string]string{"a": "A", "b": "B", "c": "C"}, nil, 1},
		"changed, added":  {map[string]string{"a": "A2", "b": "B", "c": "C"}, nil, 2},
		"other character": {map[string]string{"a": "A", "b": "B"}, core.Object{"character_id": "ch_2"}, 2},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2"})
		s.applies(map[string]string{"a": "A", "b": "B"})
		s.group(test.prompts, test.more)
		if test.buys > 0 {
			s.allow(test.buys - 1)
			s.WantError(s.Plan().Diagnostics, overLimit)
		}
		s.allow(test.buys)
		s.Apply().Must()
		s.Plan().Must().WantEmpty()
	})
}

// A replacement is planned twice and bought once, also where its predecessor is
// planned to buy something, and where it is created before that is destroyed.
// Fault F28.
func TestMaxPurchases_replacement(t *testing.T) {
	t.Parallel()
	check.Each(
		t,
		map[string][]core.ResourceOption{"after": nil, "before": {core.CreateBeforeDestroy()}},
		func(t *testing.T, options []core.ResourceOption) {
			s := newScenario(t)
			config := func(prompts map[string]string) core.Object {
				return core.Object{"character_id": "ch_1", "prompts": texts(prompts)}
			}
			s.Applies(groupAddress, config(map[string]string{"a": "A", "b": "B"}), options...)
			s.Resource(groupAddress, config(map[string]string{"a": "A", "b": "B", "c": "C"}), options...)
			s.allow(2)
			s.WantError(s.Apply(core.Replacing(groupAddress)).Diagnostics, overLimit, "buys 3 so far")
			s.allow(3)
			s.Apply(core.Replacing(groupAddress)).Must()
			check.Equal(t, "prompts charged", s.charged(), 5)
		},
	)
}
