package acctest_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// hush is part of every text that may be sensitive: of prompts, titles, names and
// descriptions.
const hush = " (hush)"

// subject is a managed type: its first configuration, and its edits.
type subject struct {
	config            core.Object
	updates, replaces map[string]core.Object
	// importID is that of what the state has; nil if there is none.
	importID func(state core.Object) string
	// reads is what plans and applies read; nothing for a snapshot, which the
	// service cannot change.
	reads []string
	// makes is the POST of a create; none if it adopts.
	makes string
	// polls is what a wait reads; ended and failed are what it leaves in the state.
	polls         string
	ended, failed core.Object
}

// eachSubject runs a test for each type, and for a character that it creates.
func eachSubject(t *testing.T, test func(t *testing.T, address string, of subject)) {
	t.Helper()
	all := map[string]subject{"mediagen_character.made": {config: core.Object{"name": "Eve" + hush, "description": "Counts." + hush}, makes: mockserver.RouteCreate}}
	for name, of := range subjects(t) {
		all[name+".x"] = of
	}
	for address, of := range all {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			test(t, address, of)
		})
	}
}

// with is the configuration with changes; of what can be waited for the end is
// waited for.
func (s subject) with(changes core.Object) core.Object {
	config := maps.Clone(s.config)
	if s.polls != "" {
		config["wait_for_completion"] = true
	}
	maps.Copy(config, changes)
	return config
}

// newReplanService has what the subjects need.
func newReplanService(t *testing.T, change ...func(*mockserver.Options)) *acctest.Service {
	t.Helper()
	s := acctest.NewRepeatable(t, append(change, func(o *mockserver.Options) { o.Extended = true })...)
	addAda(s)
	addCharacter(s, "bob")
	s.FailPrompt("fails", "no")
	return s
}

func addAda(s *acctest.Service) { addCharacter(s, "ada") }

func addCharacter(s *acctest.Service, id string) {
	ready := true
	s.AddCharacter(mockserver.CharacterSeed{ID: id, Name: id + hush, Description: "Counts." + hush, FaceImages: 10, BodyImages: 2, CanTrain: &ready})
	s.AddDatasetImages(id, 2)
}

const png = acctest.PNG

// subjects are by type.
func subjects(t *testing.T) map[string]subject {
	t.Helper()
	directory := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(directory, name)
		check.Must(t, os.WriteFile(path, []byte(png+content), 0o600))
		return path
	}
	ofAda := func(id string) func(core.Object) string {
		return func(state core.Object) string { return "ada/" + state[id].(string) }
	}
	triggers := map[string]core.Object{"triggers": {"triggers": core.Object{"round": "2"}}}
	snapshot := func(route string, config core.Object) subject {
		return subject{config: config, replaces: triggers, makes: route}
	}
	training := func(route string) subject {
		return subject{
			config:   core.Object{"character_id": "ada", "triggers": core.Object{"round": "1"}, "wait_for_completion": false},
			updates:  map[string]core.Object{"wait": {"wait_for_completion": true}},
			replaces: map[string]core.Object{"triggers": triggers["triggers"], "character": {"character_id": "bob"}},
			importID: ofAda("id"),
			reads:    []string{"jobs"},
			makes:    route,
			polls:    mockserver.RouteTraining,
			ended:    core.Object{"succeeded": true},
			failed:   core.Object{"succeeded": false},
		}
	}
	messages := func(content any) []any { return []any{core.Object{"role": "user", "content": content}} }
	return map[string]subject{
		"mediagen_character": {
			config:   core.Object{"id": "ada", "name": "Ada L." + hush},
			updates:  map[string]core.Object{"name": {"name": "Countess" + hush}, "description": {"description": "First." + hush}, "policy": {"deletion_policy": "delete"}},
			replaces: map[string]core.Object{"id": {"id": "bob"}},
			reads:    []string{"jobs"},
		},
		"mediagen_face_image": {
			config:   core.Object{"character_id": "ada", "source": file("front.png", "front")},
			updates:  map[string]core.Object{"path": {"source": file("copy.png", "front")}},
			replaces: map[string]core.Object{"bytes": {"source": file("side.png", "side")}, "character": {"character_id": "bob"}},
			importID: ofAda("id"),
			reads:    []string{"assets"},
			makes:    mockserver.RouteUpload,
		},
		"mediagen_body_image": {
			config:   core.Object{"character_id": "ada", "image_type": "body_image_front", "source": file("body.png", "body")},
			updates:  map[string]core.Object{"path": {"source": file("again.png", "body")}},
			replaces: map[string]core.Object{"bytes": {"source": file("back.png", "back")}, "type": {"image_type": "body_image_back"}},
			importID: ofAda("id"),
			reads:    []string{"assets"},
			makes:    mockserver.RouteUploadBody,
		},
		"mediagen_body_lora_training": training(mockserver.RouteStartTraining),
		"mediagen_face_lora_training": training(mockserver.RouteStartFaceTraining),
		"mediagen_generation_group":   groupSubject(),
		"mediagen_dataset_image_regeneration": {
			config:   core.Object{"character_id": "ada", "image_id": "image_000001", "prompt": "smiling" + hush, "triggers": core.Object{"round": "1"}},
			replaces: map[string]core.Object{"triggers": triggers["triggers"], "prompt": {"prompt": "frowning" + hush}},
			importID: ofAda("image_id"),
			reads:    []string{"dataset"},
			makes:    mockserver.RouteRegenerate,
		},
		"mediagen_dataset": {
			config:   core.Object{"character_id": "ada", "prompts": []any{"smiling" + hush}, "triggers": core.Object{"round": "1"}, "wait_for_completion": true},
			updates:  map[string]core.Object{"wait": {"wait_for_completion": false}},
			replaces: map[string]core.Object{"triggers": triggers["triggers"], "prompts": {"prompts": []any{"frowning" + hush}}, "character": {"character_id": "bob"}},
			importID: ofAda("id"),
			reads:    []string{"dataset"},
			makes:    mockserver.RouteGenerateDataset,
			polls:    mockserver.RouteDatasetStatus,
		},
		"mediagen_dataset_approval": {
			config:   core.Object{"character_id": "ada", "image_ids": []any{"image_000002"}},
			updates:  map[string]core.Object{"image": {"image_ids": []any{}}},
			replaces: map[string]core.Object{"character": {"character_id": "bob", "image_ids": []any{"image_000004"}}},
			reads:    []string{"dataset"},
		},
		"mediagen_chat_completion":      snapshot(mockserver.RouteChat, core.Object{"messages": messages("hello" + hush)}),
		"mediagen_vision_completion":    snapshot(mockserver.RouteVision, core.Object{"model": "see-1", "messages": messages([]any{core.Object{"text": "hello" + hush}})}),
		"mediagen_media_categorization": snapshot(mockserver.RouteCategories, core.Object{"media_url": "https://media.example.com/a.png", "metadata": []any{"tags"}}),
		"mediagen_image":                snapshot(mockserver.RouteImage, core.Object{"prompt": "a castle" + hush}),
	}
}

func groupSubject() subject {
	prompts := func(texts ...string) core.Object {
		named := core.Object{}
		for i := 0; i < len(texts); i += 2 {
			named[texts[i]] = core.Object{"prompt": texts[i+1] + hush}
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
		makes:    mockserver.RouteBatch,
		polls:    mockserver.RouteStatus,
		ended:    core.Object{"complete": true, "succeeded_count": 4, "failed_count": 1},
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
