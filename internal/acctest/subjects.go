package acctest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Hush is part of every text that may be sensitive: of prompts, titles, names and
// descriptions.
const Hush = " (hush)"

// Subject is a managed type: its first configuration, and its edits.
type Subject struct {
	Config            core.Object
	Updates, Replaces map[string]core.Object
	// ImportID returns the import id of an object in the state; nil if the type
	// has no import.
	ImportID func(state core.Object) string
	// Reads are the routes that plans and applies read; empty for a snapshot,
	// which the service cannot change.
	Reads []string
	// Makes is the POST of a create; empty if the create adopts.
	Makes string
	// Polls is the route that a wait reads; Ended and Failed are the attributes
	// after the wait.
	Polls         string
	Ended, Failed core.Object
}

// EachSubject runs a test for each type, and for a character that it creates.
func EachSubject(t *testing.T, test func(t *testing.T, address string, of Subject)) {
	t.Helper()
	for address, of := range EverySubject(t) {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			test(t, address, of)
		})
	}
}

// EverySubject returns all types, and a character that is created, by address.
func EverySubject(t *testing.T) map[string]Subject {
	t.Helper()
	made := core.Object{"name": "Eve" + Hush, "description": "Counts." + Hush}
	all := map[string]Subject{"mediagen_character.made": {Config: made, Makes: mockserver.RouteCreate}}
	for name, of := range Subjects(t) {
		all[name+".x"] = of
	}
	return all
}

// With returns the configuration with changes. If the type has an end to wait
// for, it waits for it.
func (s Subject) With(changes core.Object) core.Object {
	config := maps.Clone(s.Config)
	if s.Polls != "" {
		config["wait_for_completion"] = true
	}
	maps.Copy(config, changes)
	return config
}

// NewForSubjects returns a repeatable service with the objects that the
// subjects need.
func NewForSubjects(t *testing.T, change ...func(*mockserver.Options)) *Service {
	t.Helper()
	s := NewRepeatable(t, append(change, func(o *mockserver.Options) { o.Extended = true })...)
	s.AddAda()
	s.AddReady("bob")
	s.FailPrompt("fails", "no")
	return s
}

// AddAda adds the character of the subjects.
func (s *Service) AddAda() { s.AddReady("ada") }

// AddReady adds a character that can be trained and used for generations.
func (s *Service) AddReady(id string) {
	ready := true
	s.AddCharacter(mockserver.CharacterSeed{
		ID:          id,
		Name:        id + Hush,
		Description: "Counts." + Hush,
		FaceImages:  10,
		BodyImages:  2,
		CanTrain:    &ready,
	})
	s.AddDatasetImages(id, 2)
}

func ofAda(id string) func(core.Object) string {
	return func(state core.Object) string { return fmt.Sprint("ada/", state[id]) }
}

// Subjects returns the subjects by type.
func Subjects(t *testing.T) map[string]Subject {
	t.Helper()
	directory := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(directory, name)
		check.Must(t, os.WriteFile(path, []byte(PNG+content), 0o600))
		return path
	}
	triggers := map[string]core.Object{"triggers": {"triggers": core.Object{"round": "2"}}}
	snapshot := func(route string, config core.Object) Subject {
		return Subject{
			Config:   config,
			Replaces: triggers,
			Makes:    route,
		}
	}
	messages := func(content any) []any { return []any{core.Object{"role": "user", "content": content}} }
	adopted := map[string]core.Object{
		"name": {
			"name": "Countess" + Hush,
		},
		"description": {"description": "First." + Hush},
		"policy":      {"deletion_policy": "delete"},
	}
	seen := []any{core.Object{"text": "hello" + Hush}}
	return map[string]Subject{
		"mediagen_character": {
			Config:   core.Object{"id": "ada", "name": "Ada L." + Hush},
			Updates:  adopted,
			Replaces: map[string]core.Object{"id": {"id": "bob"}},
			Reads:    []string{"jobs"},
		},
		"mediagen_face_image": {
			Config:  core.Object{"character_id": "ada", "source": file("front.png", "front")},
			Updates: map[string]core.Object{"path": {"source": file("copy.png", "front")}},
			Replaces: map[string]core.Object{
				"bytes":     {"source": file("side.png", "side")},
				"character": {"character_id": "bob"},
			},
			ImportID: ofAda("id"),
			Reads:    []string{"assets"},
			Makes:    mockserver.RouteUpload,
		},
		"mediagen_body_image": {
			Config: core.Object{
				"character_id": "ada",
				"image_type":   "body_image_front",
				"source":       file("body.png", "body"),
			},
			Updates: map[string]core.Object{"path": {"source": file("again.png", "body")}},
			Replaces: map[string]core.Object{
				"bytes": {"source": file("back.png", "back")},
				"type":  {"image_type": "body_image_back"},
			},
			ImportID: ofAda("id"),
			Reads:    []string{"assets"},
			Makes:    mockserver.RouteUploadBody,
		},
		"mediagen_body_lora_training": trainingSubject(mockserver.RouteStartTraining),
		"mediagen_face_lora_training": trainingSubject(mockserver.RouteStartFaceTraining),
		"mediagen_generation_group":   groupSubject(),
		"mediagen_dataset_image_regeneration": {
			Config: core.Object{
				"character_id": "ada",
				"image_id":     "image_000001",
				"prompt":       "smiling" + Hush,
				"triggers":     core.Object{"round": "1"},
			},
			Replaces: map[string]core.Object{"triggers": triggers["triggers"], "prompt": {"prompt": "frowning" + Hush}},
			ImportID: ofAda("image_id"),
			Reads:    []string{"dataset"},
			Makes:    mockserver.RouteRegenerate,
		},
		"mediagen_dataset": {
			Config: core.Object{
				"character_id":        "ada",
				"prompts":             []any{"smiling" + Hush},
				"triggers":            core.Object{"round": "1"},
				"wait_for_completion": true,
			},
			Updates: map[string]core.Object{"wait": {"wait_for_completion": false}},
			Replaces: map[string]core.Object{
				"triggers":  triggers["triggers"],
				"prompts":   {"prompts": []any{"frowning" + Hush}},
				"character": {"character_id": "bob"},
			},
			ImportID: ofAda("id"),
			Reads:    []string{"dataset"},
			Makes:    mockserver.RouteGenerateDataset,
			Polls:    mockserver.RouteDatasetStatus,
		},
		"mediagen_dataset_approval": {
			Config:   core.Object{"character_id": "ada", "image_ids": []any{"image_000002"}},
			Updates:  map[string]core.Object{"image": {"image_ids": []any{}}},
			Replaces: map[string]core.Object{"character": {"character_id": "bob", "image_ids": []any{"image_000004"}}},
			Reads:    []string{"dataset"},
		},
		"mediagen_chat_completion": snapshot(
			mockserver.RouteChat,
			core.Object{"messages": messages("hello" + Hush)},
		),
		"mediagen_vision_completion": snapshot(
			mockserver.RouteVision,
			core.Object{"model": "see-1", "messages": messages(seen)},
		),
		"mediagen_media_categorization": snapshot(
			mockserver.RouteCategories,
			core.Object{"media_url": "https://media.example.com/a.png", "metadata": []any{"tags"}},
		),
		"mediagen_image": snapshot(mockserver.RouteImage, core.Object{"prompt": "a castle" + Hush}),
	}
}

func trainingSubject(route string) Subject {
	return Subject{
		Config: core.Object{
			"character_id":        "ada",
			"triggers":            core.Object{"round": "1"},
			"wait_for_completion": false,
		},
		Updates: map[string]core.Object{"wait": {"wait_for_completion": true}},
		Replaces: map[string]core.Object{
			"triggers":  {"triggers": core.Object{"round": "2"}},
			"character": {"character_id": "bob"},
		},
		ImportID: ofAda("id"),
		Reads:    []string{"jobs"},
		Makes:    route,
		Polls:    mockserver.RouteTraining,
		Ended:    core.Object{"succeeded": true},
		Failed:   core.Object{"succeeded": false},
	}
}

func groupSubject() Subject {
	prompts := func(texts ...string) core.Object {
		named := core.Object{}
		for i := 0; i < len(texts); i += 2 {
			named[texts[i]] = core.Object{"prompt": texts[i+1] + Hush}
		}
		return core.Object{"prompts": named}
	}
	config := prompts("kept", "A", "failed", "B fails", "changed", "C", "removed", "D", "named", "E")
	config["character_id"] = "ada"
	config["wait_for_completion"] = false
	return Subject{
		Config: config,
		Updates: map[string]core.Object{
			"wait":    {"wait_for_completion": true},
			"again":   {"wait_for_completion": true, "max_attempts": 3},
			"prompts": prompts("kept", "A", "failed", "B fails", "changed", "another C", "renamed", "E", "added", "F"),
		},
		Replaces: map[string]core.Object{"character": {"character_id": "bob"}},
		Reads:    []string{"generations"},
		Makes:    mockserver.RouteBatch,
		Polls:    mockserver.RouteStatus,
		Ended:    core.Object{"complete": true, "succeeded_count": 4, "failed_count": 1},
		ImportID: func(state core.Object) string {
			ids := map[string]any{}
			generations, _ := state["generations"].(core.Object)
			for key := range generations {
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
