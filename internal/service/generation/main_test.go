package generation_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const groupAddress = "mediagen_generation_group.g"

// scenario is a service with a character, and a workspace with a group of it.
type scenario struct{ *acctest.Scenario }

func newScenario(t *testing.T, change ...func(*mockserver.Options)) scenario {
	t.Helper()
	s := scenario{acctest.NewScenario(t, change...)}
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", Name: "Ada"})
	return s
}

// group writes the group with prompts of the given texts.
func (s scenario) group(prompts map[string]string, more ...core.Object) {
	s.T.Helper()
	config := core.Object{"character_id": "ch_1", "title": "Portraits", "prompts": texts(prompts)}
	for _, object := range more {
		maps.Copy(config, object)
	}
	s.Resource(groupAddress, config)
}

func (s scenario) applies(prompts map[string]string, more ...core.Object) *core.Result {
	s.T.Helper()
	s.group(prompts, more...)
	return s.Apply().Must()
}

func (s scenario) plans(prompts map[string]string, more ...core.Object) *core.Plan {
	s.T.Helper()
	s.group(prompts, more...)
	return s.Plan().Must()
}

func applied(t *testing.T, prompts map[string]string, more ...core.Object) scenario {
	t.Helper()
	s := newScenario(t)
	s.applies(prompts, more...)
	return s
}

func texts(prompts map[string]string) core.Object {
	objects := core.Object{}
	for key, text := range prompts {
		objects[key] = core.Object{"prompt": text}
	}
	return objects
}

// again is a configuration in which some of the prompts are another take.
func again(prompts map[string]string, keys ...string) core.Object {
	objects := texts(prompts)
	for _, key := range keys {
		objects[key] = core.Object{"prompt": prompts[key], "take": 2}
	}
	return core.Object{"prompts": objects}
}

// buys applies, and checks that the plan announced exactly what was then
// bought: these keys, and the group if it is new.
func (s scenario) buys(unknown []string, prompts int) *core.Result {
	s.T.Helper()
	before := s.charged()
	plan := s.Plan().Must()
	check.True(s.T, "what the plan announces", slices.Equal(plan.UnknownIDs(groupAddress), unknown), unknown, plan)
	result := s.ApplyPlan(plan).Must()
	check.Equal(s.T, "prompts charged", s.charged()-before, prompts)
	return result
}

func (s scenario) charged() int {
	count := 0
	for _, entry := range s.Ledger().Entries {
		count += len(entry.Prompts)
	}
	return count
}

func (s scenario) isThere(id string) bool {
	_, there := s.Generation(id)
	return there
}

// wantNoMedia checks that the service stores none, as after a destroy.
func (s scenario) wantNoMedia() {
	s.T.Helper()
	check.Equal(s.T, "media left", s.Media(), 0)
}
