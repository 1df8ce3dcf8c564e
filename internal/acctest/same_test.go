package acctest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// texted is what is configured with one text in each place that compares it, by
// address.
var texted = map[string]func(text string) core.Object{
	"mediagen_generation_group.prompt": func(text string) core.Object {
		prompts := core.Object{"a": core.Object{"prompt": text}, "b": core.Object{"prompt": "B"}}
		return core.Object{"character_id": "ada", "prompts": prompts}
	},
	"mediagen_generation_group.title": func(text string) core.Object {
		return core.Object{
			"character_id": "ada",
			"title":        text,
			"prompts":      core.Object{"a": core.Object{"prompt": "A"}},
		}
	},
	"mediagen_character.name": func(text string) core.Object { return core.Object{"id": "bob", "name": text} },
	"mediagen_character.description": func(text string) core.Object {
		return core.Object{"id": "lin", "description": text}
	},
	"mediagen_dataset_image_regeneration.prompt": func(text string) core.Object {
		return core.Object{"character_id": "ada", "image_id": "image_000001", "prompt": text}
	},
	"mediagen_dataset.prompts": func(text string) core.Object {
		return core.Object{"character_id": "ada", "prompts": []any{"a", text}}
	},
	"mediagen_body_lora_training.triggers": func(text string) core.Object {
		return core.Object{"character_id": "ada", "triggers": core.Object{"a": text}}
	},
	"mediagen_chat_completion.content": func(text string) core.Object {
		return core.Object{"messages": []any{core.Object{"role": "user", "content": text}}}
	},
	"mediagen_chat_completion.model": func(text string) core.Object {
		return core.Object{"model": text, "messages": []any{core.Object{"role": "user", "content": "hello"}}}
	},
	"mediagen_chat_completion.stop": func(text string) core.Object {
		return core.Object{"stop": []any{text}, "messages": []any{core.Object{"role": "user", "content": "hello"}}}
	},
	"mediagen_chat_completion.tool": func(text string) core.Object {
		return core.Object{
			"tools":    []any{core.Object{"name": "f", "description": text, "parameters": `{"type": "object"}`}},
			"messages": []any{core.Object{"role": "user", "content": "hello"}},
		}
	},
	"mediagen_chat_completion.triggers": func(text string) core.Object {
		return core.Object{
			"triggers": core.Object{"a": text}, "messages": []any{core.Object{"role": "user", "content": "hello"}},
		}
	},
	"mediagen_vision_completion.text": func(text string) core.Object {
		message := core.Object{"role": "user", "content": []any{core.Object{"text": text}}}
		return core.Object{"model": "see-1", "messages": []any{message}}
	},
	"mediagen_image.prompt": func(text string) core.Object { return core.Object{"prompt": text} },
}

const written = "Caf\u00e9, first line\nsecond line"

// Texts that are the same plan empty in every place that compares, and texts
// that are not never do. Fault F35.
func TestSameTexts_planEmptyEverywhere(t *testing.T) {
	t.Parallel()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.AddReady("lin")
	for address, object := range texted {
		w.Resource(address, object(written))
	}
	w.Apply().Must()
	w.Plan().Must().WantEmpty()
	addresses := w.Addresses()
	slices.Sort(addresses)
	same := check.SameTexts(written)
	other := check.OtherTexts(written)
	for seed := range 20 {
		for i, address := range addresses {
			w.Resource(address, texted[address](same.Example(seed*len(addresses)+i)))
		}
		w.Plan().Must().WantEmpty()
		changed := addresses[seed%len(addresses)]
		w.Resource(changed, texted[changed](other.Example(seed)))
		plan := w.Plan().Must()
		check.True(t, "another text is no empty plan", plan.Action(changed) != core.NoOp, changed, other.Example(seed))
	}
}

// What a text finds, any text that is the same finds, and no other. Fault F35.
func TestSameTexts_findEverywhere(t *testing.T) {
	t.Parallel()
	const name = "Caf\u00e9 \u00c5sa"
	same := check.SameTexts(name)
	other := check.OtherTexts(name)
	for what, find := range map[string]func(t *testing.T, shown, wanted string) (isFound bool){
		"a character by its name": findsCharacter,
		"a file by its path":      findsFile,
		"an image by its name":    findsImage,
		"a job by its id":         findsJob,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			for seed := range 12 {
				shown := same.Example(seed)
				wanted := same.Example(seed + 100)
				check.True(t, "it is found", find(t, shown, wanted), shown, wanted)
				wanted = other.Example(seed)
				check.True(t, "another is not", !find(t, name, wanted), name, wanted)
			}
		})
	}
}

func findsCharacter(t *testing.T, shown, wanted string) bool {
	t.Helper()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.SetCharacter("ada", func(c *mockserver.CharacterSeed) { c.Name = shown })
	found, diagnostics := w.DataSource("mediagen_character", core.Object{"name": wanted})
	return !diagnostics.HasErrors() && found["id"] == "ada"
}

func findsFile(t *testing.T, shown, wanted string) bool {
	t.Helper()
	w := acctest.NewForSubjects(t).Scenario(t)
	directory := t.TempDir()
	file := filepath.Join(directory, strings.TrimSpace(shown))
	check.Must(t, os.WriteFile(file, []byte(acctest.PNG), 0o600))
	w.Resource("mediagen_face_image.x", core.Object{"character_id": "ada", "source": filepath.Join(directory, wanted)})
	return !w.Plan().Diagnostics.HasErrors()
}

func findsImage(t *testing.T, shown, wanted string) bool {
	t.Helper()
	w := acctest.NewForSubjects(t).Scenario(t)
	file := filepath.Join(t.TempDir(), "a.png")
	check.Must(t, os.WriteFile(file, []byte(acctest.PNG), 0o600))
	config := core.Object{"character_id": "ada", "source": file, "filename": shown}
	w.Resource("mediagen_face_image.x", config)
	w.Apply().Must()
	config["filename"] = wanted
	w.Resource("mediagen_face_image.x", config)
	return w.Plan().Must().Action("mediagen_face_image.x") == core.NoOp
}

// asID leaves out the one newline that means nothing: an id has no line ends.
var asID = strings.NewReplacer("\r\r\n", "__", "\n\n", "__", "\r\n", "", "\r", "", "\n", "")

func findsJob(t *testing.T, shown, wanted string) bool {
	t.Helper()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.StartTrainingElsewhere("ada")
	w.Fault(mockserver.Fault{
		Route: mockserver.RouteTraining,
		Rewrite: func(status map[string]any) {
			status["character_training"].(map[string]any)["job_id"] = asID.Replace(shown)
		},
		MayStayUnmet: true, // a drawn id may be refused before anything is read
	})
	w.Resource("mediagen_body_lora_training.x", core.Object{"character_id": "ada", "wait_for_completion": false})
	return !w.Import("mediagen_body_lora_training.x", "ada/"+asID.Replace(wanted)).Diagnostics.HasErrors()
}

// Results find their keys by any text that is the same as the prompt's, and by
// none that has other words. Fault F35.
func TestSameTexts_settleResults(t *testing.T) {
	t.Parallel()
	for seed := range 12 {
		same := settlesResults(t, func(text string) string { return check.SameTexts(text).Example(seed) })
		check.Equal(t, "nothing is open", len(same.Find("May Be Another Key's")), 0)
		other := settlesResults(t, func(text string) string {
			hasOtherWords := func(other string) bool { return withoutSpace(other) != withoutSpace(text) }
			return check.OtherTexts(text).Filter(hasOtherWords).Example(seed)
		})
		check.True(
			t,
			"it is said that another text settles nothing",
			len(other.Find("May Be Another Key's")) > 0,
			other,
		)
	}
}

func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

// settlesResults applies two prompts at a service that gives their results
// without an index, in another order, and with texts of its own.
func settlesResults(t *testing.T, shown func(text string) string) core.Diagnostics {
	t.Helper()
	s := acctest.NewForSubjects(t, func(o *mockserver.Options) {
		o.Variant = mockserver.Variant{PromptIndexBase: -1, ReorderResults: true}
	})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 100, Rewrite: func(status map[string]any) {
		if text, is := status["prompt"].(string); is {
			status["prompt"] = shown(text)
		}
	}})
	w := s.Scenario(t)
	const group = "mediagen_generation_group.x"
	texts := map[string]string{"a": written, "b": "Th\u00e9,\nnow"}
	prompts := core.Object{}
	for key, text := range texts {
		prompts[key] = core.Object{"prompt": text}
	}
	w.Resource(group, core.Object{"character_id": "ada", "prompts": prompts})
	said := w.Apply().Must().Diagnostics
	if len(said) > 0 {
		return said
	}
	for key, text := range texts {
		made, _ := s.Generation(w.Value(group, `generations["`+key+`"].id`).(string))
		check.Equal(t, "whose it is", made.Prompt, text)
	}
	w.Plan().Must().WantEmpty()
	return said
}
