package story_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

type command struct {
	text string
	run  func(*story) *core.Result
	calm bool // nothing happens between its plan and its apply
}

const replaceCommand = "apply -replace="

func simple(name string) command {
	run := map[string]func(*story) *core.Result{
		"apply":   func(s *story) *core.Result { return s.Apply() },
		"refresh": func(s *story) *core.Result { return s.Refresh() },
		"destroy": func(s *story) *core.Result { return s.Destroy() },
	}
	return command{name, run[name], true}
}

func commands(c cast) *rapid.Generator[command] {
	return rapid.Custom(func(t *rapid.T) command {
		name := oneOf("apply", "apply", "apply", "apply", "apply", "apply a plan", "refresh", "destroy", "destroy", "replace").Draw(t, "command")
		switch name {
		case "apply a plan":
			between := events(c).Draw(t, "between")
			return command{text: fmt.Sprintf("plan; %s; apply the plan", between.text), run: func(s *story) *core.Result {
				plan := s.Plan()
				between.act(s)
				return s.ApplyPlan(plan)
			}}
		case "replace":
			address := oneOf(append(append([]string{}, c.groups...), c.trainings...)...).Draw(t, "address")
			return command{text: replaceCommand + address, calm: true, run: func(s *story) *core.Result { return s.Apply(core.Replacing(address)) }}
		}
		return simple(name)
	})
}
