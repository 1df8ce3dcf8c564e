package repotest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// mistake is what a person writes by mistake, and what the plan says of it: the summary of a
// message, and a part of its detail.
type mistake struct {
	write       func(w *acctest.Scenario)
	says, about string
}

// Each mistake is said by the plan, before anything is bought.
func TestMistakes(t *testing.T) {
	t.Parallel()
	check.Each(t, mistakes(t), func(t *testing.T, of mistake) {
		w := newReplanService(t).Scenario(t)
		of.write(w)
		bought := len(w.Ledger().Entries)
		said := w.Plan().Diagnostics
		check.Equal(t, "what is bought", len(w.Ledger().Entries), bought)
		for _, message := range said {
			isIt := strings.HasPrefix(message.Summary, of.says) && strings.Contains(message.Detail, of.about)
			if isIt {
				return
			}
		}
		t.Errorf("a word was due, and none came: %q, about %q; the plan says:\n%s", of.says, of.about, said)
	})
}

// mistaken has the provocations of all mistakes.
func mistaken(t *testing.T) map[string]provocation {
	t.Helper()
	all := map[string]provocation{}
	for name, of := range mistakes(t) {
		all["mistakes/"+name] = func(t *testing.T, hear func(core.Diagnostics)) {
			w := newReplanService(t).Scenario(t)
			of.write(w)
			hear(w.Plan().Diagnostics)
		}
	}
	return all
}

func mistakes(t *testing.T) map[string]mistake {
	t.Helper()
	subjects := acctest.Subjects(t)
	with := func(name string, changes core.Object) func(*acctest.Scenario) {
		return func(w *acctest.Scenario) { w.Resource(name+".x", subjects[name].With(changes)) }
	}
	twice := func(name string, changes core.Object) func(*acctest.Scenario) {
		return func(w *acctest.Scenario) {
			w.Resource(name+".x", subjects[name].With(changes))
			w.Resource(name+".y", subjects[name].With(changes))
		}
	}
	prompt := func(prompt core.Object) func(*acctest.Scenario) {
		return with("mediagen_generation_group", core.Object{"prompts": core.Object{"p17": prompt}})
	}
	provider := func(settings core.Object) func(*acctest.Scenario) {
		return func(w *acctest.Scenario) {
			set(settings)(w)
			with("mediagen_generation_group", nil)(w)
			with("mediagen_body_lora_training", nil)(w)
		}
	}
	file := func(name, content string) core.Object {
		path := filepath.Join(t.TempDir(), name)
		check.Must(t, os.WriteFile(path, []byte(content), 0o600))
		return core.Object{"source": path}
	}
	const (
		character = "mediagen_character"
		face      = "mediagen_face_image"
		group     = "mediagen_generation_group"
		training  = "mediagen_body_lora_training"
		dataset   = "mediagen_dataset"

		approval     = "mediagen_dataset_approval"
		regeneration = "mediagen_dataset_image_regeneration"
	)
	misspelt := core.Object{"character_id": "adda"}
	const notFound, similar = "Character Not Found", `A similar character is "ada".`
	return map[string]mistake{
		"a misspelt id":                     {with(character, core.Object{"id": "adda"}), notFound, similar},
		"a misspelt character, pictures":    {with(group, misspelt), notFound, similar},
		"a misspelt character, a training":  {with(training, misspelt), notFound, similar},
		"a misspelt character, a dataset":   {with(dataset, misspelt), notFound, similar},
		"a misspelt character, a face":      {with(face, misspelt), notFound, similar},
		"a misspelt character, a body":      {with("mediagen_body_image", misspelt), notFound, similar},
		"a misspelt character, an approval": {with(approval, misspelt), notFound, similar},
		"a misspelt character, a regeneration": {
			with(regeneration, misspelt), notFound, similar,
		},
		"one training twice":     {twice(training, nil), "Two Body LoRA Trainings of One Character", "Remove one"},
		"one approval twice":     {twice(approval, nil), "Image Is Approved Twice", "one of the resources"},
		"one regeneration twice": {twice(regeneration, nil), "Image Is Regenerated Twice", "Each is bought"},
		"neither id nor name": {
			with(character, core.Object{"id": nil, "name": nil}),
			"Missing Name",
			"Set name",
		},
		"a blank id": {with(character, core.Object{"id": " "}), "Invalid Value", "id"},
		"a misspelt policy": {
			with(
				character,
				core.Object{"deletion_policy": "forget"},
			),
			"Invalid Attribute Value Match",
			"deletion_policy",
		},
		"one character twice": {twice(character, nil), "Character Adopted Twice", "ada"},
		"one character twice, with other names": {func(w *acctest.Scenario) {
			w.Resource("mediagen_character.x", core.Object{"id": "ada", "name": "Ada"})
			w.Resource("mediagen_character.y", core.Object{"id": "ada", "name": "Eve"})
		}, "Character Adopted Twice", "name"},
		"a name that is taken": {func(w *acctest.Scenario) {
			w.Applies("mediagen_character.x", core.Object{"id": "ada", "name": "Ada"})
			w.Resource("mediagen_character.y", core.Object{"name": "Ada"})
		}, "Character Name Already Used", `"ada"`},
		"one dataset twice": {twice(dataset, nil), "Two Datasets of One Character", "Remove one"},
		"one picture twice": {twice(face, nil), "Image Is Uploaded Twice", "cannot delete"},
		"a file that is not there": {
			with(face, core.Object{"source": "no/such/file.png"}),
			"Unreadable Source File",
			"no such",
		},
		"a directory":          {with(face, core.Object{"source": ".."}), "Unreadable Source File", "a directory"},
		"a pattern":            {with(face, core.Object{"source": "*.png"}), "Unreadable Source File", "for_each"},
		"an empty file":        {with(face, file("a.png", "")), "Unreadable Source File", "empty"},
		"a text for a picture": {with(face, file("a.png", "{}")), "Source File Is Not an Image", "is text"},
		"no file":              {with(face, core.Object{"source": nil}), "Missing Source", "source"},
		"an empty prompt":      {prompt(core.Object{"prompt": ""}), "Invalid", "p17"},
		"a prompt of nothing":  {prompt(core.Object{}), "Invalid", "p17"},
		"no prompts":           {with(group, core.Object{"prompts": core.Object{}}), "Invalid", "prompts"},
		"a path for a photo":   {prompt(core.Object{"source_image_url": "a.png"}), "Invalid", "p17"},
		"a time without a unit": {
			with(training, core.Object{"timeouts": core.Object{"create": "5"}}),
			"Invalid Duration",
			"create",
		},
		"no attempt": {
			with(group, core.Object{"max_attempts": 0}),
			"Invalid Attribute Value",
			"max_attempts",
		},
		"a model that is not there": {prompt(core.Object{"prompt": "a", "use_face_lora": true}), "LoRA Is Not", "p17"},
		"a character that is not ready": {func(w *acctest.Scenario) {
			w.SetCharacter("ada", func(c *mockserver.CharacterSeed) { c.CanGenerate = new(bool) })
			with(group, nil)(w)
		}, "Character Cannot Generate", "ada"},
		"an address without a scheme": {
			provider(core.Object{"base_url": "api.example.com/v2"}), "Invalid Address", "https://",
		},
		"two credentials": {
			provider(core.Object{"access_token": "t"}),
			"Invalid Attribute Combination",
			"api_key",
		},
		"a blank key": {provider(core.Object{"api_key": " "}), "Invalid Credential", "blank"},
		"a limit that is met": {
			provider(core.Object{"max_purchases": int64(1)}),
			"Purchase Limit Exceeded",
			"to 5 or more",
		},
		"a limit without prices": {provider(core.Object{"max_credits": 5.0}), "Missing Price", "prices"},
		"a month without a log": {
			provider(core.Object{"max_credits_per_month": 5.0}), "Missing Purchase Log", "purchase_log",
		},
		"a log in no directory": {
			provider(core.Object{"purchase_log": filepath.Join("no", "such", "a.jsonl")}),
			"Purchase Log Cannot Be Written", "no such",
		},
		"a plan offline, with a refresh": {func(w *acctest.Scenario) {
			with(character, nil)(w)
			w.Apply().Must()
			set(core.Object{"api_key": nil, "access_token": "offline"})(w)
		}, "This Needs a Credential", "Data sources, imports"},
		"a group that is removed": {func(w *acctest.Scenario) {
			w.Applies(group+".x", core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A"}}})
			w.Remove(group + ".x")
		}, "Media Will Be Deleted", "moved block"},
		"a space too many": {func(w *acctest.Scenario) {
			w.Applies(group+".x", core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A b"}}})
			w.Resource(group+".x", core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A  b"}}})
		}, "Media Will Be Deleted", "Put it back to buy nothing"},
		"another character": {func(w *acctest.Scenario) {
			w.Applies(group+".x", core.Object{
				"character_id": "ada",
				"prompts":      core.Object{"a": core.Object{"prompt": "A"}},
			})
			w.Resource(group+".x", core.Object{
				"character_id": "bob",
				"prompts":      core.Object{"a": core.Object{"prompt": "A"}},
			})
		}, "Media Will Be Deleted", "Every prompt is bought again"},
	}
}
