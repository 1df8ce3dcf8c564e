package inference_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestVisionHasEveryField(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Fault(mockserver.Fault{Route: mockserver.RouteVision, Body: `{
		"id": "vision-9", "object": "chat.completion", "created": 1767323045, "model": "see-1-large",
		"choices": [
			{"index": 0, "message": {"role": "assistant", "content": "A cat.", "tool_calls": []},
				"logprobs": {"b": [1.50, null], "a": {}}, "finish_reason": "stop", "stop_reason": null},
			{"index": 1, "message": {"role": "assistant", "content": null,
				"tool_calls": [{"id": "call-1", "type": "function", "function": {"name": "f", "arguments": "{"}}]},
				"logprobs": null, "finish_reason": "tool_calls", "stop_reason": 7}
		],
		"usage": {"prompt_tokens": 1, "total_tokens": 3, "completion_tokens": 2}, "prompt_logprobs": {"z": 1, "y": "<>"}
	}`})
	config := core.Object{
		"model": "see-1", "temperature": 0.1, "messages": []any{
			core.Object{"role": "system", "content": []any{core.Object{"text": "Be brief.", "image_url": nil}}},
			core.Object{"role": "user", "content": []any{
				core.Object{
					"text":      nil,
					"image_url": "https://media.example.com/a.png?x=1&y=2",
				},
				core.Object{"text": nil, "image_url": "data:image/png;base64,iVBORw0KGgo="},
				core.Object{"text": "What?\n", "image_url": nil},
			}},
		},
	}
	b.Applies(vision, config)
	sent := core.Object{"model": "see-1", "temperature": 0.1, "messages": []any{
		core.Object{"role": "system", "content": []any{core.Object{"type": "text", "text": "Be brief."}}},
		core.Object{"role": "user", "content": []any{
			core.Object{
				"type":      "image_url",
				"image_url": core.Object{"url": "https://media.example.com/a.png?x=1&y=2"},
			},
			core.Object{"type": "image_url", "image_url": core.Object{"url": "data:image/png;base64,iVBORw0KGgo="}},
			core.Object{"type": "text", "text": "What?\n"},
		}},
	}}
	check.Equal(t, "sent", b.body(vision), plain(t, sent))
	stored := with(config, core.Object{
		"id":             "vision-9",
		"object":         "chat.completion",
		"created":        1767323045,
		"response_model": "see-1-large",
		"content":        "A cat.",
		"triggers":       core.Object{},
		"usage": core.Object{
			"prompt_tokens":     1,
			"completion_tokens": 2,
			"total_tokens":      3,
		},
		"prompt_logprobs": `{"y":"<>","z":1}`,
		"choices": []any{
			core.Object{
				"index":         0,
				"role":          "assistant",
				"content":       "A cat.",
				"tool_calls":    []any{},
				"logprobs":      `{"a":{},"b":[1.50,null]}`,
				"finish_reason": "stop",
				"stop_reason":   nil,
			},
			core.Object{
				"index":         1,
				"role":          "assistant",
				"content":       nil,
				"logprobs":      nil,
				"finish_reason": "tool_calls",
				"stop_reason":   "7",
				"tool_calls":    []any{core.Object{"id": "call-1", "type": "function", "name": "f", "arguments": "{"}},
			},
		},
	})
	check.Equal(t, "stored", plain(t, b.State(vision)), plain(t, stored))
	b.Plan().Must().WantEmpty()
	b.wantAsked(1)
}

// What the interface does not require is sent only if it is set: nothing of it
// is null or empty.
func TestCompletionsNeedLittle(t *testing.T) {
	t.Parallel()
	text := core.Object{"text": "What?"}
	type row struct {
		address      string
		config, sent core.Object
	}
	check.Each(t, map[string]row{
		"no model": {
			vision,
			core.Object{"messages": shown(text)},
			core.Object{
				"messages": []any{
					core.Object{"role": "user", "content": []any{core.Object{"type": "text", "text": "What?"}}},
				},
			},
		},
		"no role": {
			vision, core.Object{"messages": []any{core.Object{"content": []any{text}}}},
			core.Object{"messages": []any{core.Object{"content": []any{core.Object{"type": "text", "text": "What?"}}}}},
		},
		"no images": {vision, core.Object{"messages": []any{}}, core.Object{"messages": []any{}}},
		"no chat":   {chat, core.Object{"messages": []any{}}, core.Object{"messages": []any{}}},
	}, func(t *testing.T, test row) {
		b := newScenario(t)
		b.Applies(test.address, test.config)
		check.Equal(t, "sent", b.body(test.address), plain(t, test.sent))
		b.Plan().Must().WantEmpty()
		b.wantAsked(1)
	})
}

func TestCategorizationHasEveryField(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Fault(
		mockserver.Fault{
			Route: mockserver.RouteCategories,
			Body: `{"metadata": {
				"participants": ["one", "two"], "categories": ["portrait"], "actions": [], "scene": null,
				"tags": ["b", "a", "b"], "mood": ["calm"]}}`,
		},
	)
	config := core.Object{
		"media_url": "https://media.example.com/a.mp4", "use_scenes": true, "triggers": core.Object{"a": "b"},
		"metadata": []any{"actions", "categories", "participants", "scene", "tags"},
	}
	b.Applies(categories, config)
	sent := with(config, nil)
	delete(sent, "triggers")
	check.Equal(t, "sent", b.body(categories), plain(t, sent))
	id, _ := b.Value(categories, "id").(string)
	check.True(t, "the id", strings.HasPrefix(id, "snapshot-"), id)
	stored := with(config, core.Object{
		"id":           id,
		"participants": []any{"one", "two"},
		"categories":   []any{"portrait"},
		"actions":      []any{},
		"scene":        []any{},
		"tags":         []any{"b", "a", "b"},
	})
	check.Equal(t, "stored", plain(t, b.State(categories)), plain(t, stored))
	b.Plan().Must().WantEmpty()
}

func TestImageHasEveryField(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Fault(
		mockserver.Fault{
			Route: mockserver.RouteImage,
			Body:  `{"output": ["https://media.example.com/1.png?signature=1", "https://media.example.com/2.png"]}`,
		},
	)
	b.Applies(image, core.Object{"prompt": "<a castle>\n"})
	check.Equal(t, "sent", b.body(image), plain(t, core.Object{"prompt": "<a castle>\n"}))
	want := []any{"https://media.example.com/1.png?signature=1", "https://media.example.com/2.png"}
	check.Equal[any](t, "stored", b.Value(image, "output"), want)
	b.Plan().Must().WantEmpty()
}
