package generation_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const groupAddress = "mediagen_generation_group.g"

// studio is a service with a character, and a workspace with a group of it.
type studio struct {
	*acctest.Service
	*core.Workspace
	t *testing.T
}

func newStudio(t *testing.T, change ...func(*mockserver.Options)) studio {
	t.Helper()
	service := acctest.NewService(t, change...)
	service.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", Name: "Ada"})
	return studio{service, service.Workspace(t), t}
}

// group writes the group with prompts of the given texts.
func (s studio) group(prompts map[string]string, more ...core.Object) {
	s.t.Helper()
	config := core.Object{"character_id": "ch_1", "title": "Portraits", "prompts": texts(prompts)}
	for _, object := range more {
		maps.Copy(config, object)
	}
	s.Resource(groupAddress, config)
}

func texts(prompts map[string]string) core.Object {
	objects := core.Object{}
	for key, text := range prompts {
		objects[key] = core.Object{"prompt": text}
	}
	return objects
}

func (s studio) value(path string) any {
	s.t.Helper()
	return s.Value(groupAddress, path)
}

// want checks values of the state.
func (s studio) want(values core.Object) {
	s.t.Helper()
	for path, want := range values {
		if got := s.value(path); fmt.Sprint(got) != fmt.Sprint(want) {
			s.t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
}

// buys applies, and checks that the plan announced exactly what was then
// bought: these keys, and the group if it is new.
func (s studio) buys(unknown []string, prompts int) *core.Result {
	s.t.Helper()
	before := s.charged()
	plan := s.Plan().Must()
	if got := plan.UnknownIDs(groupAddress); !slices.Equal(got, unknown) {
		s.t.Errorf("the plan announces %q, want %q:\n%s", got, unknown, plan)
	}
	result := s.ApplyPlan(plan).Must()
	if got := s.charged() - before; got != prompts {
		s.t.Errorf("%d prompts were charged, want %d", got, prompts)
	}
	return result
}

func (s studio) charged() int {
	count := 0
	for _, entry := range s.Ledger().Entries {
		count += len(entry.Prompts)
	}
	return count
}

// converges checks that what follows is an empty plan.
func (s studio) converges() {
	s.t.Helper()
	s.Plan().Must().WantEmpty()
}
