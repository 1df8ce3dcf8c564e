package inference_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Only what is required is sent; then nothing sends again.
func TestSnapshotIsAskedForOnce(t *testing.T) {
	t.Parallel()
	bodies := map[string]any{
		chat: core.Object{"messages": said("hello")},
		vision: core.Object{"model": "see-1", "messages": shown(
			core.Object{"type": "image_url", "image_url": core.Object{"url": "https://media.example.com/a.png"}})},
		categories: least(categories), image: least(image),
	}
	b := newScenario(t)
	for address := range routes {
		b.Resource(address, least(address))
	}
	b.wantAsked(0)
	b.Plan().Must()
	b.wantAsked(0)
	b.WantCount(t, mockserver.RouteCharacters, 1) // whether the address is right
	b.Apply().Must()
	for address, route := range routes {
		b.WantCount(t, route, 1)
		check.Equal(t, address, b.body(address), plain(t, bodies[address]))
		id, _ := b.Value(address, "id").(string)
		check.True(t, address+" has an id", id != "")
	}
	b.ResetJournal()
	b.Plan().Must().WantEmpty()
	b.Refresh().Must()
	b.Apply().Must()
	b.Plan().Must().WantEmpty()
	b.Destroy().Must()
	b.WantNoRequests(t)
	check.Equal(t, "left after destroy", len(b.Addresses()), 0)
}

// A change of any input sends exactly one more request, replaces the old reply,
// and changes nothing else.
func TestSnapshotIsReplaced(t *testing.T) {
	tier.Long(t, "each input of all inferences is changed")
	t.Parallel()
	chatChanges := []core.Object{
		{
			"messages": said("bye"),
		},
		{"messages": said("hello", "hello")},
		{"messages": []any{core.Object{"role": "system", "content": "hello"}}},
		{"stop": []any{"x"}},
		{"tools": []any{core.Object{"name": "weather"}}},
		{"tool_choice": "auto"},
		{"model": "other"},
	}
	for _, name := range []string{
		"temperature",
		"top_p",
		"presence_penalty",
		"frequency_penalty",
		"repetition_penalty",
		"min_p",
		"length_penalty",
	} {
		chatChanges = append(chatChanges, core.Object{name: 0.1}, core.Object{name: 0})
	}
	for _, name := range []string{"n", "max_tokens", "best_of", "top_k"} {
		chatChanges = append(chatChanges, core.Object{name: 2})
	}
	for _, name := range []string{"compliance", "reasoning", "check_image_generation", "auto_turn"} {
		chatChanges = append(chatChanges, core.Object{name: true}, core.Object{name: false})
	}
	for address, changes := range map[string][]core.Object{
		chat: chatChanges,
		vision: {
			{"model": "see-2"}, {"temperature": 0.5}, {"messages": shown(core.Object{"text": "What?"})},
			{"messages": shown(core.Object{"image_url": "https://media.example.com/a.png?size=2"})},
		},
		categories: {
			{"media_url": "https://media.example.com/b.png"},
			{"metadata": []any{"tags", "scene"}},
			{"use_scenes": true},
		},
		image: {{"prompt": "a castle "}},
	} {
		changes = append(changes, core.Object{"triggers": core.Object{"round": "2"}})
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			for _, change := range changes {
				b.Applies(address, least(address))
				before := b.Value(address, "id")
				b.ResetJournal()
				plan := b.Plans(address, with(least(address), change))
				check.True(
					t,
					"plans",
					plan.Action(address) == core.Replace && plan.Change(address).After["id"] == core.Unknown,
					change,
					plan,
				)
				b.ApplyPlan(plan).Must()
				b.wantAsked(1)
				check.True(t, "the answer is another", b.Value(address, "id") != before, change, before)
				sent, _ := b.body(address).(map[string]any)
				for name := range change {
					if name == "auto_turn" {
						name = "autoTurn"
					}
					_, isSent := sent[name]
					check.True(t, "what is sent", isSent == (name != "triggers"), change, sent)
				}
				b.Plan().Must().WantEmpty()
				b.wantAsked(1)
			}
		})
	}
}

func TestSnapshotCannotBeImported(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	for address := range routes {
		b.Resource(address, least(address))
		messages := b.Import(address, "chat_000001").Diagnostics
		b.WantError(messages, "Import Not Possible")
	}
	b.WantNoRequests(t)
}

// Unknown inputs make a plan send a request, once they are known.
func TestSnapshotOfUnknownInputs(t *testing.T) {
	t.Parallel()
	later := core.UnknownUntilApply
	type row struct {
		address string
		config  core.Object
	}
	check.Each(t, map[string]row{
		"messages": {chat, core.Object{"messages": later(said("hello"))}},
		"a message": {chat, core.Object{"messages": []any{
			core.Object{
				"role":    later("user"),
				"content": later("hello"),
			},
			core.Object{"role": "user", "content": "again"},
		}}},
		"tools": {chat, core.Object{"messages": said("hello"), "tools": later([]any{core.Object{"name": "f"}})}},
		"parameters": {chat, core.Object{"messages": said("hello"), "tools": []any{
			core.Object{
				"name":       later("f"),
				"parameters": later(`{"type": "object"}`),
			},
			core.Object{"name": "g", "description": later("G")},
		}}},
		"options": {
			chat,
			core.Object{
				"messages":    said("hello"),
				"n":           later(2),
				"temperature": later(0.5),
				"stop":        later([]any{"x"}),
				"auto_turn": later(
					false,
				),
				"tool_choice": later("none"),
				"model":       later("m"),
				"triggers":    later(core.Object{"a": "b"}),
			},
		},
		"a stop": {
			chat,
			core.Object{"messages": said("hello"), "stop": []any{later("x")}, "triggers": core.Object{"a": later("b")}},
		},
		"vision": {vision, core.Object{"model": later("m"), "messages": later(shown(core.Object{"text": "What?"}))}},
		"parts": {vision, core.Object{"model": "m", "messages": shown(
			later(
				core.Object{"text": "What?"},
			),
			core.Object{"image_url": later("https://a.example.com/b.png")},
			core.Object{"text": later("And?")},
		)}},
		"categorization": {
			categories,
			core.Object{
				"media_url":  later("https://a.example.com/b.png"),
				"metadata":   []any{later("tags")},
				"use_scenes": later(true),
			},
		},
		"metadata": {
			categories,
			core.Object{"media_url": "https://a.example.com/b.png", "metadata": later([]any{"tags"})},
		},
		"image": {image, core.Object{"prompt": later("a castle")}},
	}, func(t *testing.T, test row) {
		b := newScenario(t)
		b.Applies(test.address, least(test.address))
		b.ResetJournal()
		plan := b.Plans(test.address, test.config)
		check.True(t, "the plan", plan.Action(test.address) == core.Replace, plan)
		reads := 0
		if test.address == image { // which is a purchase: whether the address is right
			reads = 1
		}
		check.Equal(t, "requests", b.Count("")-b.Count(mockserver.RouteToken), reads)
		b.WantCount(t, mockserver.RouteCharacters, reads)
		b.ApplyPlan(plan).Must()
		b.wantAsked(1)
		b.Plan().Must().WantEmpty()
		b.wantAsked(1)
	})
}
func TestImageIsBounded(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Fault(mockserver.Fault{Route: mockserver.RouteImage, Rewrite: func(reply map[string]any) {
		reply["output"] = []any{"data:image/png;base64," + strings.Repeat("A", 5<<20)}
	}})
	result := b.Applies(image, least(image))
	check.True(
		t,
		"one warning",
		len(result.Diagnostics.Warnings().Find("Address Too Long for the State")) == 1,
		result.Diagnostics,
	)
	output, _ := b.Value(image, "output").([]any)
	check.True(
		t,
		"output",
		len(output) == 1 && strings.HasPrefix(output[0].(string), "omitted:image/png;size=5242902;sha256="),
		output,
	)
	b.Plan().Must().WantEmpty()
}
