package acctest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

var badIDs = []any{"", " ", "char_1 ", "\tchar_1", ".", "..", "char\n1", "char\x001"}

func invalid() map[string]map[string][]core.Object {
	of := func(name string, values ...any) (changes []core.Object) {
		for _, value := range values {
			changes = append(changes, core.Object{name: value})
		}
		return changes
	}
	timeouts := func(name string, values ...any) (changes []core.Object) {
		for _, value := range values {
			changes = append(changes, core.Object{"timeouts": core.Object{name: value}})
		}
		return changes
	}
	prompt := func(name string, values ...any) (changes []core.Object) {
		for _, value := range values {
			one := core.Object{"prompt": "A"}
			one[name] = value
			changes = append(changes, core.Object{"prompts": core.Object{"a": one}})
		}
		return changes
	}
	image := map[string][]core.Object{
		"character_id": of(
			"character_id",
			badIDs...),
		"source":   of("source", nil, "", "a\x00b"),
		"filename": of("filename", " ", "a\x00"),
	}
	training := map[string][]core.Object{
		"character_id": of("character_id", append(badIDs, nil)...), "timeouts.create": timeouts("create", "soon", "0s"),
		"timeouts.update": timeouts("update", "soon", "0s"), "timeouts.delete": timeouts("delete", "-1m"),
	}
	return map[string]map[string][]core.Object{
		"mediagen_character": {
			"id": of(
				"id",
				badIDs...),
			"name":            of("name", "A\x00da", "", " \n"),
			"description":     of("description", "\x00"),
			"deletion_policy": of("deletion_policy", "forget"),
		},
		"mediagen_face_image":         image,
		"mediagen_body_image":         image,
		"mediagen_body_lora_training": training,
		"mediagen_face_lora_training": training,
		"mediagen_dataset": {
			"character_id": of(
				"character_id",
				badIDs...),
			"prompts":    of("prompts", []any{}),
			"prompts[0]": of("prompts", []any{nil}),
			"prompts[1]": of("prompts", []any{"a", " "}),
		},
		"mediagen_dataset_approval": {
			"character_id": of("character_id", badIDs...),
			"image_ids":    of("image_ids", []any{nil}),
		},
		"mediagen_dataset_image_regeneration": {
			"character_id": of("character_id", badIDs...),
			"image_id":     of("image_id", badIDs...),
			"prompt":       of("prompt", " \n"),
		},
		"mediagen_generation_group": {
			"character_id": of(
				"character_id",
				badIDs...),
			"title":                 of("title", "a\x00"),
			"deletion_policy":       of("deletion_policy", "forget"),
			"max_attempts":          of("max_attempts", 0),
			"max_prompts_per_batch": of("max_prompts_per_batch", 0),
			"timeouts.create":       timeouts("create", "0s"),
			"timeouts.delete":       timeouts("delete", "soon"),
			"prompts": of(
				"prompts",
				core.Object{},
			),
			`prompts["a"]`: of(
				"prompts",
				core.Object{"a": nil},
				core.Object{"a": core.Object{"face_swap": true}},
			),
			`prompts[" "]`:        of("prompts", core.Object{" ": core.Object{"prompt": "A"}}),
			`prompts["a"].prompt`: prompt("prompt", "  ", "a\x00b"),
			`prompts["a"].take`:   prompt("take", 0),
			`prompts["a"].source_image_url`: prompt(
				"source_image_url",
				"file:///etc/passwd",
				"javascript:alert(1)",
				"https://u:p@example.com/a.png",
				"/a.png",
				"data:,"+strings.Repeat("A", 1<<16),
			),
		},
	}
}

// Invalid input is an error on its attribute before anything is sent. Fault F26.
func TestInvalidInputSendsNothing(t *testing.T) {
	t.Parallel()
	all := invalid()
	labelled := labelledTypes(t)
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		typeName, _, _ := strings.Cut(address, ".")
		w := acctest.NewForSubjects(t).Scenario(t)
		wrong := map[string][]core.Object{}
		maps.Copy(wrong, all[typeName])
		if labelled[typeName] {
			maps.Copy(wrong, invalidLabels())
		}
		for path, changes := range wrong {
			for _, change := range changes {
				config := maps.Clone(of.Config)
				maps.Copy(config, change)
				w.Resource(address, config)
				said := w.Apply().Diagnostics
				check.True(t, path+" is blamed", len(said.Errors().At(path)) != 0, change, said)
			}
		}
		w.WantNoRequests(t)
	})
}

// The same holds for data sources, actions and imports. Fault F26.
func TestInvalidQuestionsSendNothing(t *testing.T) {
	t.Parallel()
	ada := core.Object{
		"character_id":   "ada",
		"job_id":         "job_1",
		"generation_ids": core.Object{"a": "gen_1"},
		"directory":      t.TempDir(),
	}
	w := acctest.NewForSubjects(t).Scenario(t)
	ask := map[string]func(name string, config core.Object) core.Diagnostics{
		"data": func(name string, config core.Object) core.Diagnostics {
			_, said := w.DataSource(name, config)
			return said
		},
		"list": func(name string, config core.Object) core.Diagnostics {
			_, said := w.Query(name, core.Query{Config: config})
			return said
		},
		"action": func(name string, config core.Object) core.Diagnostics {
			_, said := w.Invoke(name, config)
			return said
		},
	}
	for _, test := range []struct {
		kind, name, uses string // the attributes of a good configuration
		wrong            core.Object
		paths            string // one of them is blamed
	}{
		{"data", "mediagen_character", "", core.Object{}, "id name"},
		{"data", "mediagen_character", "", core.Object{"id": "char_1", "name": "Ada"}, "id name"},
		{"data", "mediagen_character", "", core.Object{"id": ".."}, "id"},
		{"data", "mediagen_character", "", core.Object{"name": " "}, "name"},
		{"data", "mediagen_characters", "", core.Object{"limit": 0}, "limit"},
		{"data", "mediagen_characters", "", core.Object{"limit": 101}, "limit"},
		{"data", "mediagen_characters", "", core.Object{"offset": -1}, "offset"},
		{"data", "mediagen_assets", "", core.Object{"character_id": "."}, "character_id"},
		{"data", "mediagen_assets", "character_id", core.Object{"asset_type": ""}, "asset_type"},
		{"data", "mediagen_generation_capabilities", "", core.Object{"character_id": ""}, "character_id"},
		{"data", "mediagen_dataset_images", "", core.Object{"character_id": " char_1"}, "character_id"},
		{"data", "mediagen_training_status", "", core.Object{"character_id": ".."}, "character_id"},
		{"data", "mediagen_generation", "", core.Object{"id": ""}, "id"},
		{"data", "mediagen_generation", "", core.Object{"id": " "}, "id"},
		{"data", "mediagen_generation", "", core.Object{"id": ".."}, "id"},
		{"list", "mediagen_face_image", "", core.Object{"character_id": ".."}, "character_id"},
		{"list", "mediagen_face_image", "", core.Object{}, "character_id"},
		{"list", "mediagen_body_lora_training", "", core.Object{"character_id": ".."}, "character_id"},
		{"action", "mediagen_cancel_training", "character_id", core.Object{"job_id": nil}, "job_id"},
		{"action", "mediagen_cancel_training", "character_id", core.Object{"job_id": ".."}, "job_id"},
		{"action", "mediagen_await_training", "job_id", core.Object{"character_id": nil}, "character_id"},
		{"action", "mediagen_await_training", "job_id", core.Object{"character_id": " "}, "character_id"},
		{"action", "mediagen_await_training", "character_id job_id", core.Object{"timeout": "0s"}, "timeout"},
		{"action", "mediagen_await_training", "character_id job_id", core.Object{"timeout": "-1h"}, "timeout"},
		{"action", "mediagen_await_training", "character_id job_id", core.Object{"timeout": "soon"}, "timeout"},
		{"action", "mediagen_await_generations", "", core.Object{"generation_ids": nil}, "generation_ids"},
		{
			"action",
			"mediagen_await_generations",
			"",
			core.Object{"generation_ids": []any{"gen_1", ".."}},
			"generation_ids[1]",
		},
		{
			"action",
			"mediagen_await_generations",
			"",
			core.Object{"generation_ids": []any{}, "timeout": "soon"},
			"timeout",
		},
		{"action", "mediagen_download_generations", "directory", core.Object{"generation_ids": nil}, "generation_ids"},
		{
			"action",
			"mediagen_download_generations",
			"directory",
			core.Object{"generation_ids": core.Object{"a": ".."}},
			`generation_ids["a"]`,
		},
		{"action", "mediagen_download_generations", "generation_ids", core.Object{"directory": nil}, "directory"},
		{"action", "mediagen_download_generations", "generation_ids", core.Object{"directory": " "}, "directory"},
		{"action", "mediagen_download_generations", "generation_ids", core.Object{"directory": "a\x00b"}, "directory"},
		{
			"action",
			"mediagen_download_generations",
			"generation_ids",
			core.Object{"directory": "invalid_test.go"},
			"directory",
		},
		{
			"action",
			"mediagen_download_generations",
			"generation_ids",
			core.Object{"directory": "invalid_test.go/below"},
			"directory",
		},
		{
			"action",
			"mediagen_download_generations",
			"directory generation_ids",
			core.Object{"timeout": "soon"},
			"timeout",
		},
	} {
		config := maps.Clone(test.wrong)
		for name := range strings.FieldsSeq(test.uses) {
			config[name] = ada[name]
		}
		said := ask[test.kind](test.name, config)
		check.True(
			t,
			test.name+": one of the paths is blamed",
			slices.ContainsFunc(
				strings.Fields(test.paths),
				func(path string) bool { return len(said.Errors().At(path)) > 0 },
			),
			test.wrong,
			test.paths,
			said,
		)
	}
	w.WantNoRequests(t)
}

// An import by what cannot be an id is refused, in each of its parts. Fault F26.
func TestInvalidImportsSendNothing(t *testing.T) {
	t.Parallel()
	w := acctest.NewForSubjects(t).Scenario(t)
	refused := func(address, id string, result *core.Result) {
		said := result.Diagnostics
		check.True(
			t,
			address+" is refused",
			len(said.Errors().Find("Invalid Import Id")) != 0 && w.State(address) == nil,
			id,
			said,
		)
	}
	for name, of := range acctest.Subjects(t) {
		address := name + ".x"
		parts := map[string][]string{"mediagen_character": {"%s"}, "mediagen_dataset_approval": {"%s"}}[name]
		if of.ImportID != nil && name != "mediagen_generation_group" {
			parts = []string{"ada%s", "ada/%s", "%s/one"}
		}
		w.Resource(address, of.Config)
		for _, part := range parts {
			for _, bad := range badIDs {
				if id := fmt.Sprintf(part, bad); id != "" && (part != "ada%s" || bad == "") { // the CLI asks for one
					refused(address, id, w.Import(address, id))
				}
			}
		}
	}
	for _, bad := range badIDs {
		refused("mediagen_character.x", bad.(string), w.ImportIdentity("mediagen_character.x", core.Object{"id": bad}))
		refused(
			"mediagen_face_image.x",
			bad.(string),
			w.ImportIdentity("mediagen_face_image.x", core.Object{"character_id": bad, "id": "asset_1"}),
		)
	}
	w.WantNoRequests(t)
}

func TestMissingCharacterIsBlamed(t *testing.T) {
	t.Parallel()
	nobody := core.Object{"character_id": "nobody"}
	w := acctest.NewForSubjects(t).Scenario(t)
	for _, name := range []string{
		"mediagen_assets",
		"mediagen_generation_capabilities",
		"mediagen_dataset_images",
		"mediagen_training_status",
	} {
		_, said := w.DataSource(name, nobody)
		w.WantMessage(said.Errors(), "character_id", `"nobody"`)
	}
	for _, name := range []string{"mediagen_face_image", "mediagen_body_lora_training", "mediagen_face_lora_training"} {
		_, said := w.Query(name, core.Query{Config: nobody})
		w.WantMessage(said.Errors(), "character_id", `"nobody"`)
	}
}
