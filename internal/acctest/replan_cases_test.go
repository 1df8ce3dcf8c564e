package acctest_test

import (
	"maps"
	"slices"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// meanwhiles are what can happen to a type, by name. Events that its reads
// cannot notice happen all at once.
func meanwhiles(of subject) map[string]meanwhile {
	if of.reads == nil {
		return map[string]meanwhile{"nothing": {}, "everything": {"", nil, inTurn(later, changeImages, startJob, removeAda, failReads)}}
	}
	all := map[string]meanwhile{
		"nothing":                   {},
		"a job ends":                {"jobs", startJob, later},
		"a job is cancelled":        {"jobs", startJob, eachJob((*mockserver.Server).CancelTrainingElsewhere)},
		"a job vanishes":            {"jobs", startJob, eachJob((*mockserver.Server).ForgetTraining)},
		"a job starts":              {"jobs", later, startJob},
		"another job follows":       {"jobs", startJob, inTurn(later, startJob)},
		"a face job starts":         {"jobs", later, func(s *acctest.Service) { s.StartFaceTrainingElsewhere("ada") }},
		"reads fail beside a job":   {"jobs", startJob, failReads},
		"the character is renamed":  {"", nil, changeAda(func(c *mockserver.CharacterSeed) { c.Name, c.Description = "Eve", "Renamed." })},
		"the character disappears":  {"", nil, removeAda},
		"the character appears":     {"", removeAda, addAda},
		"the capabilities change":   {"", nil, changeAda(func(c *mockserver.CharacterSeed) { c.CanGenerate, c.CanTrain = new(bool), new(bool) })},
		"the body LoRA is there":    {"", nil, func(s *acctest.Service) { s.AddBodyLoRA("ada") }},
		"assets appear":             {"assets", nil, func(s *acctest.Service) { s.AddAsset("ada", "face_image", "front.png", []byte(png)) }},
		"assets disappear":          {"assets", nil, removeAssets},
		"dataset images change":     {"dataset", nil, changeImages},
		"generations end":           {"generations", nil, later},
		"generations are deleted":   {"generations", nil, deleteGenerations},
		"ended ones are deleted":    {"generations", later, deleteGenerations},
		"groups are deleted":        {"generations", nil, deleteGroups},
		"ended groups are deleted":  {"generations", later, deleteGroups},
		"reads fail once, later":    {"", nil, failReads},
		"reads fail once, at first": {"", failReads, (*acctest.Service).ClearFaults},
	}
	var others meanwhile
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if each := all[name]; each.to != "" && !slices.Contains(of.reads, each.to) {
			delete(all, name)
			others.before, others.between = inTurn(others.before, each.before), inTurn(others.between, each.between)
		}
	}
	all["all that it never asks about"] = others
	return all
}

func inTurn(steps ...func(*acctest.Service)) func(*acctest.Service) {
	return func(s *acctest.Service) {
		for _, step := range steps {
			if step != nil {
				step(s)
			}
		}
	}
}

func later(s *acctest.Service)     { s.Clock.Advance(time.Hour) }
func removeAda(s *acctest.Service) { s.RemoveCharacter("ada") }

// startJob starts a training, unless one runs.
func startJob(s *acctest.Service) {
	if !slices.ContainsFunc(s.Trainings("ada"), func(job mockserver.Training) bool { return job.Status == "training" }) {
		s.StartTrainingElsewhere("ada")
	}
}

func eachJob(change func(s *mockserver.Server, character, job string)) func(*acctest.Service) {
	return func(s *acctest.Service) {
		for _, job := range s.Trainings("ada") {
			change(s.Server, "ada", job.JobID)
		}
	}
}

func changeAda(change func(*mockserver.CharacterSeed)) func(*acctest.Service) {
	return func(s *acctest.Service) { s.SetCharacter("ada", change) }
}

func removeAssets(s *acctest.Service) {
	for _, asset := range s.Assets("ada") {
		s.RemoveAsset("ada", asset.ID)
	}
}

func changeImages(s *acctest.Service) {
	for _, image := range s.DatasetImages("ada") {
		s.SetDatasetImage("ada", image.ID, func(i *mockserver.DatasetImage) { i.Approved, i.Prompt = !i.Approved, "another" })
	}
	s.AddDatasetImages("ada", 1)
	s.GenerateDatasetElsewhere("ada", "another")
}

func deleteGenerations(s *acctest.Service) {
	for _, group := range s.Groups() {
		for _, generation := range group.Generations {
			s.DeleteGenerationBehindTheBack(generation.ID)
		}
	}
}

func deleteGroups(s *acctest.Service) {
	for _, group := range s.Groups() {
		s.DeleteGroupBehindTheBack(group.ID)
	}
}

// failReads refuses the next read of each kind.
func failReads(s *acctest.Service) {
	for _, route := range []string{
		mockserver.RouteTraining, mockserver.RouteCharacters, mockserver.RouteAssets,
		mockserver.RouteDataset, mockserver.RouteDatasetStatus, mockserver.RouteCapabilities, mockserver.RouteStatus,
	} {
		s.Fault(mockserver.Fault{Route: route, Nth: 1, Status: 403, Body: `{"error":"forbidden"}`})
	}
}
