package acctest

import (
	"maps"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// Situation is a state and a configuration to be planned.
type Situation struct {
	Name      string
	Action    core.Action
	Edit      core.Object
	Imported  bool
	Lifecycle []core.ResourceOption
	Flags     []core.PlanOption
}

// Situations returns the situations of a type.
func (s Subject) Situations(address string) []Situation {
	first := []core.ResourceOption{core.CreateBeforeDestroy()}
	again := []core.PlanOption{core.Replacing(address)}
	all := []Situation{
		{Name: "create", Action: core.Create},
		{
			Name:   "-replace",
			Action: core.Replace,
			Flags:  again,
		},
		{
			Name:      "-replace, create_before_destroy",
			Action:    core.Replace,
			Flags:     again,
			Lifecycle: first,
		},
	}
	for name, edit := range s.Updates {
		all = append(all, Situation{
			Name:   name,
			Action: core.Update,
			Edit:   edit,
		})
	}
	for name, edit := range s.Replaces {
		all = append(all, Situation{
			Name:   name,
			Action: core.Replace,
			Edit:   edit,
		},
			Situation{
				Name:      name + ", create_before_destroy",
				Action:    core.Replace,
				Edit:      edit,
				Lifecycle: first,
			})
	}
	if s.ImportID != nil {
		all = append(all, Situation{
			Name:     "import",
			Action:   core.Update,
			Imported: true,
		})
	}
	return all
}

// Prepare brings a workspace to the point before the plan.
func (c Situation) Prepare(t *testing.T, s *Service, address string, of Subject) *Scenario {
	t.Helper()
	w := s.priced(t)
	w.Resource(address, of.Config, c.Lifecycle...)
	if c.Action == core.Create {
		return w
	}
	w.Apply().Must()
	if c.Imported {
		id := of.ImportID(w.State(address))
		w = s.priced(t)
		w.Import(address, id).Must()
	}
	config := maps.Clone(of.Config)
	maps.Copy(config, c.Edit)
	w.Resource(address, config, c.Lifecycle...)
	return w
}

// priced returns a scenario with a price for each kind of purchase. The price
// of a tenth cannot be represented exactly as a float.
func (s *Service) priced(t *testing.T) *Scenario {
	t.Helper()
	w := s.Scenario(t)
	prices := core.Object{"generation": 0.1, "training": 0.1, "dataset": 0.1, "image": 0.1}
	w.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": APIKey, "prices": prices})
	return w
}
