package acctest_test

import (
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// texted is what is configured with one text in each place that compares it, by address.
var texted = map[string]func(text string) core.Object{
	"mediagen_generation_group.prompt": func(text string) core.Object {
		prompts := core.Object{"a": core.Object{"prompt": text}, "b": core.Object{"prompt": "B"}}
		return core.Object{"character_id": "ada", "prompts": prompts}
	},
	"mediagen_generation_group.title": func(text string) core.Object {
		return core.Object{"character_id": "ada", "title": text, "prompts": core.Object{"a": core.Object{"prompt": "A"}}}
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

// Texts that are the same plan empty in every place that compares, and texts that are not never do.
// Fault F35.
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
	same, other := check.SameTexts(written), check.OtherTexts(written)
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
