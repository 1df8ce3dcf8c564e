package acctest

import (
	"maps"
	"slices"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Meanwhile is an event before a plan, or between plan and apply.
type Meanwhile struct {
	// To is the type that the event happens to; "" means every type.
	To              string
	Before, Between func(*Service)
}

// Meanwhiles returns the events that can happen to a type, by name. Events that
// the type's reads cannot notice are combined into one.
func (s Subject) Meanwhiles() map[string]Meanwhile {
	if s.Reads == nil {
		return map[string]Meanwhile{
			"nothing":    {},
			"everything": {"", nil, inTurn(later, changeImages, startJob, removeAda, failReads)},
		}
	}
	all := map[string]Meanwhile{
		"nothing":                 {},
		"a job ends":              {"jobs", startJob, later},
		"a job is cancelled":      {"jobs", startJob, eachJob((*mockserver.Server).CancelTrainingElsewhere)},
		"a job vanishes":          {"jobs", startJob, eachJob((*mockserver.Server).ForgetTraining)},
		"a job starts":            {"jobs", later, startJob},
		"another job follows":     {"jobs", startJob, inTurn(later, startJob)},
		"a face job starts":       {"jobs", later, func(s *Service) { s.StartFaceTrainingElsewhere("ada") }},
		"reads fail beside a job": {"jobs", startJob, failReads},
		"the character is renamed": {"", nil, changeAda(func(c *mockserver.CharacterSeed) {
			c.Name = "Eve"
			c.Description = "Renamed."
		})},
		"the character disappears": {"", nil, removeAda},
		"the character appears":    {"", removeAda, (*Service).AddAda},
		"the capabilities change": {"", nil, changeAda(func(c *mockserver.CharacterSeed) {
			c.CanGenerate = new(bool)
			c.CanTrain = new(bool)
		})},
		"the body LoRA is there": {"", nil, func(s *Service) { s.AddBodyLoRA("ada") }},
		"assets appear": {
			"assets",
			nil,
			func(s *Service) { s.AddAsset("ada", "face_image", "front.png", []byte(PNG)) },
		},
		"assets disappear":          {"assets", nil, removeAssets},
		"dataset images change":     {"dataset", nil, changeImages},
		"generations end":           {"generations", nil, later},
		"generations are deleted":   {"generations", nil, deleteGenerations},
		"ended ones are deleted":    {"generations", later, deleteGenerations},
		"groups are deleted":        {"generations", nil, deleteGroups},
		"ended groups are deleted":  {"generations", later, deleteGroups},
		"reads fail once, later":    {"", nil, failReads},
		"reads fail once, at first": {"", failReads, (*Service).ClearFaults},
	}
	var others Meanwhile
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if each := all[name]; each.To != "" && !slices.Contains(s.Reads, each.To) {
			delete(all, name)
			others.Before = inTurn(others.Before, each.Before)
			others.Between = inTurn(others.Between, each.Between)
		}
	}
	all["all that it never asks about"] = others
	return all
}

func inTurn(steps ...func(*Service)) func(*Service) {
	return func(s *Service) {
		for _, step := range steps {
			if step != nil {
				step(s)
			}
		}
	}
}

func later(s *Service)     { s.Clock.Advance(time.Hour) }
func removeAda(s *Service) { s.RemoveCharacter("ada") }

// startJob starts a training, unless a training is running.
func startJob(s *Service) {
	if !slices.ContainsFunc(
		s.Trainings("ada"),
		func(job mockserver.Training) bool { return job.Status == "training" },
	) {
		s.StartTrainingElsewhere("ada")
	}
}

func eachJob(change func(s *mockserver.Server, character, job string)) func(*Service) {
	return func(s *Service) {
		for _, job := range s.Trainings("ada") {
			change(s.Server, "ada", job.JobID)
		}
	}
}

func changeAda(change func(*mockserver.CharacterSeed)) func(*Service) {
	return func(s *Service) { s.SetCharacter("ada", change) }
}

func removeAssets(s *Service) {
	for _, asset := range s.Assets("ada") {
		s.RemoveAsset("ada", asset.ID)
	}
}

func changeImages(s *Service) {
	for _, image := range s.DatasetImages("ada") {
		s.SetDatasetImage("ada", image.ID, func(i *mockserver.DatasetImage) {
			i.Approved = !i.Approved
			i.Prompt = "another"
		})
	}
	s.AddDatasetImages("ada", 1)
	s.GenerateDatasetElsewhere("ada", "another")
}

func deleteGenerations(s *Service) {
	for _, group := range s.Groups() {
		for _, generation := range group.Generations {
			s.DeleteGenerationBehindTheBack(generation.ID)
		}
	}
}

func deleteGroups(s *Service) {
	for _, group := range s.Groups() {
		s.DeleteGroupBehindTheBack(group.ID)
	}
}

// failReads refuses the next read of each kind, if there is one.
func failReads(s *Service) {
	for _, route := range []string{
		mockserver.RouteTraining, mockserver.RouteCharacters, mockserver.RouteAssets,
		mockserver.RouteDataset, mockserver.RouteDatasetStatus, mockserver.RouteCapabilities, mockserver.RouteStatus,
	} {
		s.Fault(mockserver.Fault{
			Route:        route,
			Nth:          1,
			Status:       403,
			Body:         `{"error":"forbidden"}`,
			MayStayUnmet: true,
		})
	}
}
