package work_test

import (
	"maps"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

const address = "mediagen_body_lora_training.t"

type lora struct {
	typeName, address string
	// body or face, as in the service's fields, and title, as in messages.
	word, title string
	// start is the route, elsewhere starts a training without it.
	start     string
	elsewhere func(service *mockserver.Server, character string) (job string)
}

func newLoRA(word, title, start string, elsewhere func(*mockserver.Server, string) string) lora {
	typeName := "mediagen_" + word + "_lora_training"
	return lora{typeName, typeName + ".t", word, title, start, elsewhere}
}

var (
	bodyLoRA = newLoRA("body", "Body LoRA", mockserver.RouteStartTraining, (*mockserver.Server).StartTrainingElsewhere)
	faceLoRA = newLoRA(
		"face",
		"Face LoRA",
		mockserver.RouteStartFaceTraining,
		(*mockserver.Server).StartFaceTrainingElsewhere,
	)
)

func (l lora) other() lora {
	if l.word == bodyLoRA.word {
		return faceLoRA
	}
	return bodyLoRA
}

// scenario is a service with one character that can be trained.
type scenario struct {
	*acctest.Scenario
	lora

	character string
}

func newScenario(t *testing.T, change ...func(*mockserver.Options)) *scenario {
	t.Helper()
	return newScenarioOf(t, bodyLoRA, change...)
}

func newScenarioOf(t *testing.T, kind lora, change ...func(*mockserver.Options)) *scenario {
	t.Helper()
	s := acctest.NewScenario(t, change...)
	return &scenario{s, kind, s.AddCharacter(mockserver.CharacterSeed{Name: "Ada", FaceImages: 10})}
}

// eachKind runs a test for each kind, with a service that knows both.
func eachKind(t *testing.T, test func(*testing.T, *scenario), change ...func(*mockserver.Options)) {
	t.Helper()
	for _, kind := range []lora{bodyLoRA, faceLoRA} {
		t.Run(kind.word, func(t *testing.T) {
			t.Parallel()
			test(t, newScenarioOf(t, kind, append(change, func(o *mockserver.Options) { o.Extended = true })...))
		})
	}
}

// startElsewhere starts a training of the scenario's kind that is not charged.
func (s *scenario) startElsewhere() (job string) { return s.elsewhere(s.Server, s.character) }

func (s *scenario) configure(more core.Object, options ...core.ResourceOption) {
	s.T.Helper()
	config := core.Object{"character_id": s.character}
	maps.Copy(config, more)
	s.Resource(s.address, config, options...)
}

func (s *scenario) applies(more core.Object, options ...core.ResourceOption) *core.Result {
	s.T.Helper()
	s.configure(more, options...)
	return s.Apply().Must()
}

func applied(t *testing.T, more core.Object) *scenario {
	t.Helper()
	s := newScenario(t)
	s.applies(more)
	return s
}

func round(n string) core.Object { return core.Object{"triggers": core.Object{"round": n}} }

// canTrain makes the service say whether the character can be trained; nil is
// what is so.
func (s *scenario) canTrain(can *bool) {
	s.SetCharacter(s.character, func(c *mockserver.CharacterSeed) { c.CanTrain = can })
}

func (s *scenario) wantPaid(want int) {
	s.T.Helper()
	s.WantCount(s.T, s.start, want)
}

// wantKept checks what holds after every end of a wait: the training is in the
// state, complete and untainted, and nothing was bought twice.
func (s *scenario) wantKept() {
	s.T.Helper()
	check.True(s.T, "the training is not tainted", !s.Tainted(s.address))
	jobs := s.Trainings(s.character)
	check.Equal(s.T, "trainings", len(jobs), 1)
	s.Want(s.address, core.Object{"id": jobs[0].JobID, "succeeded": nil})
	s.wantPaid(1)
}
