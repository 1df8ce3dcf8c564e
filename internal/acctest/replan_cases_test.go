package acctest_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
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

const png = "\x89PNG\r\n\x1a\n"

// replanSubjects are by type.
func replanSubjects(t *testing.T) map[string]subject {
	t.Helper()
	directory := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(directory, name)
		if err := os.WriteFile(path, []byte(png+content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ofAda := func(id string) func(core.Object) string {
		return func(state core.Object) string { return "ada/" + state[id].(string) }
	}
	triggers := map[string]core.Object{"triggers": {"triggers": core.Object{"round": "2"}}}
	snapshot := func(config core.Object) subject {
		return subject{config: config, replaces: triggers}
	}
	training := subject{
		config:   core.Object{"character_id": "ada", "triggers": core.Object{"round": "1"}, "wait_for_completion": false},
		updates:  map[string]core.Object{"wait": {"wait_for_completion": true}},
		replaces: map[string]core.Object{"triggers": triggers["triggers"], "character": {"character_id": "bob"}},
		importID: ofAda("id"),
		reads:    []string{"jobs"},
	}
	messages := func(content any) []any { return []any{core.Object{"role": "user", "content": content}} }
	return map[string]subject{
		"mediagen_character": {
			config:   core.Object{"id": "ada", "name": "Ada L."},
			updates:  map[string]core.Object{"name": {"name": "Countess"}, "description": {"description": "First."}, "policy": {"deletion_policy": "delete"}},
			replaces: map[string]core.Object{"id": {"id": "bob"}},
			reads:    []string{"jobs"},
		},
		"mediagen_face_image": {
			config:   core.Object{"character_id": "ada", "source": file("front.png", "front")},
			updates:  map[string]core.Object{"path": {"source": file("copy.png", "front")}},
			replaces: map[string]core.Object{"bytes": {"source": file("side.png", "side")}, "character": {"character_id": "bob"}},
			importID: ofAda("id"),
			reads:    []string{"assets"},
		},
		"mediagen_body_image": {
			config:   core.Object{"character_id": "ada", "image_type": "body_image_front", "source": file("body.png", "body")},
			updates:  map[string]core.Object{"path": {"source": file("again.png", "body")}},
			replaces: map[string]core.Object{"bytes": {"source": file("back.png", "back")}, "type": {"image_type": "body_image_back"}},
			importID: ofAda("id"),
			reads:    []string{"assets"},
		},
		"mediagen_body_lora_training": training,
		"mediagen_face_lora_training": training,
		"mediagen_generation_group":   groupSubject(),
		"mediagen_dataset_image_regeneration": {
			config:   core.Object{"character_id": "ada", "image_id": "image_000001", "prompt": "smiling", "triggers": core.Object{"round": "1"}},
			replaces: map[string]core.Object{"triggers": triggers["triggers"], "prompt": {"prompt": "frowning"}},
			importID: ofAda("image_id"),
			reads:    []string{"dataset"},
		},
		"mediagen_dataset": {
			config:   core.Object{"character_id": "ada", "prompts": []any{"smiling"}, "triggers": core.Object{"round": "1"}, "wait_for_completion": true},
			updates:  map[string]core.Object{"wait": {"wait_for_completion": false}},
			replaces: map[string]core.Object{"triggers": triggers["triggers"], "prompts": {"prompts": []any{"frowning"}}, "character": {"character_id": "bob"}},
			importID: ofAda("id"),
			reads:    []string{"dataset"},
		},
		"mediagen_dataset_approval": {
			config:   core.Object{"character_id": "ada", "image_ids": []any{"image_000001"}},
			updates:  map[string]core.Object{"image": {"image_ids": []any{}}},
			replaces: map[string]core.Object{"character": {"character_id": "bob", "image_ids": []any{"image_000002"}}},
			reads:    []string{"dataset"},
		},
		"mediagen_chat_completion":      snapshot(core.Object{"messages": messages("hello")}),
		"mediagen_vision_completion":    snapshot(core.Object{"model": "see-1", "messages": messages([]any{core.Object{"text": "hello"}})}),
		"mediagen_media_categorization": snapshot(core.Object{"media_url": "https://media.example.com/a.png", "metadata": []any{"tags"}}),
		"mediagen_image":                snapshot(core.Object{"prompt": "a castle"}),
	}
}

func groupSubject() subject {
	prompts := func(texts ...string) core.Object {
		named := core.Object{}
		for i := 0; i < len(texts); i += 2 {
			named[texts[i]] = core.Object{"prompt": texts[i+1]}
		}
		return core.Object{"prompts": named}
	}
	config := prompts("kept", "A", "failed", "B fails", "changed", "C", "removed", "D", "named", "E")
	config["character_id"], config["wait_for_completion"] = "ada", false
	return subject{
		config: config,
		updates: map[string]core.Object{
			"wait":    {"wait_for_completion": true},
			"again":   {"wait_for_completion": true, "max_attempts": 3},
			"prompts": prompts("kept", "A", "failed", "B fails", "changed", "another C", "renamed", "E", "added", "F"),
		},
		replaces: map[string]core.Object{"character": {"character_id": "bob"}},
		reads:    []string{"generations"},
		importID: func(state core.Object) string {
			ids := map[string]any{}
			for key := range state["generations"].(core.Object) {
				ids[key] = core.Lookup(state, `generations["`+key+`"].id`)
			}
			text, err := json.Marshal(ids)
			if err != nil {
				panic(err)
			}
			return string(text)
		},
	}
}
