package inference_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const weather = `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}}}`

// full has every request field.
func full() core.Object {
	return core.Object{
		"messages": []any{
			core.Object{"role": "system", "content": " Be\n\tbrief. "},
			core.Object{"role": "user", "content": "a picture <of> \"drugs\" & ü"},
		},
		"model":                  "chat-1",
		"temperature":            0.1,
		"top_p":                  0.25,
		"n":                      2,
		"max_tokens":             40,
		"stop":                   []any{"STOP", ""},
		"presence_penalty":       -0.5,
		"frequency_penalty":      1e-3,
		"best_of":                3,
		"top_k":                  9223372036854775807,
		"repetition_penalty":     1.5,
		"min_p":                  0,
		"length_penalty":         0.3,
		"compliance":             true,
		"reasoning":              true,
		"check_image_generation": true,
		"tool_choice":            "auto",
		"auto_turn":              true,
		"tools": []any{
			core.Object{
				"name":        "weather",
				"description": "Tells the weather.",
				"parameters":  "{ \"type\": \"object\",\n\"b\": 1.0, \"a\": [] }",
			},
			core.Object{"name": "bare"},
		},
		"triggers": core.Object{"round": "1"},
	}
}

func TestChatSendsEveryField(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Applies(chat, full())
	want := full()
	delete(want, "triggers")
	delete(want, "auto_turn")
	want["autoTurn"] = true
	want["tools"] = []any{
		core.Object{"type": "function", "function": core.Object{
			"name":        "weather",
			"description": "Tells the weather.",
			"parameters":  core.Object{"type": "object", "b": 1.0, "a": []any{}},
		}},
		core.Object{"type": "function", "function": core.Object{"name": "bare"}},
	}
	check.Equal(t, "sent", b.body(chat), plain(t, want))
	check.Contains(
		t,
		"sent as it is",
		string(b.Requests(mockserver.RouteChat)[0].Body),
		`{"type":"object","b":1.0,"a":[]}`,
		`"top_k":9223372036854775807`,
	)
}

func TestChatStoresEveryField(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Fault(mockserver.Fault{Route: mockserver.RouteChat, Body: `{
		"id": "chat-9", "object": "chat.completion", "created": 1767323045, "model": "chat-1-large", "extra": {},
		"choices": [
			{"index": 1, "message": {"role": "assistant", "tool_calls": [
				{"id": "call-1", "type": "function",
					"function": {"name": "weather", "arguments": "{\"city\": \"Ulm\"}"}}
			]}, "finish_reason": "tool_calls"},
			{"index": 0, "message": {"role": "assistant", "content": "A. B.", "reasoning": "because",
				"image_prompt": "a cat", "turns": ["A.", "B."], "next": true},
				"finish_reason": "stop", "compliance_violations": ["drug_use"]}
		],
		"usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
		"compliance_violations": ["drug_use", "pedophilia"]
	}`})
	b.Applies(chat, full())
	want := with(full(), core.Object{
		"id":                    "chat-9",
		"object":                "chat.completion",
		"created":               int64(1767323045),
		"response_model":        "chat-1-large",
		"content":               "A. B.",
		"usage":                 core.Object{"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
		"compliance_violations": []any{"drug_use", "pedophilia"},
		"choices": []any{
			core.Object{
				"index":        0,
				"role":         "assistant",
				"content":      "A. B.",
				"reasoning":    "because",
				"image_prompt": "a cat",
				"tool_calls":   []any{},
				"turns": []any{
					"A.",
					"B.",
				},
				"next":                  true,
				"finish_reason":         "stop",
				"compliance_violations": []any{"drug_use"},
			},
			core.Object{
				"index":        1,
				"role":         "assistant",
				"content":      nil,
				"reasoning":    nil,
				"image_prompt": nil,
				"turns":        []any{},
				"next":         nil,
				"tool_calls": []any{
					core.Object{"id": "call-1", "type": "function", "name": "weather", "arguments": `{"city": "Ulm"}`},
				},
				"finish_reason":         "tool_calls",
				"compliance_violations": []any{},
			},
		},
	})
	want["tools"].([]any)[1] = core.Object{"name": "bare", "description": nil, "parameters": nil}
	check.Equal(t, "stored", plain(t, b.State(chat)), plain(t, want))
	b.Plan().Must().WantEmpty()
}

// A nearly empty reply is a reply.
func TestChatOfFewWords(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"choices": [{}]}`, `{"choices": [null, {}]}`,
		`{"id": "", "choices": [{"message": null}], "usage": null, "created": "soon"}`,
		`{"id": null, "object": {}, "choices": [{"index": "x", "message": {"tool_calls": null, "turns": 4, "next": ` +
			`"?"}}], "compliance_violations": null}`,
	} {
		b := newScenario(t)
		b.Fault(mockserver.Fault{Route: mockserver.RouteChat, Body: body})
		b.Applies(chat, least(chat))
		id, _ := b.Value(chat, "id").(string)
		check.True(t, "the id", strings.HasPrefix(id, "snapshot-"), body, id)
		check.True(t, body, b.Value(chat, "content") == nil && b.Value(chat, "usage") == nil, b.State(chat))
		b.Plan().Must().WantEmpty()
		b.wantAsked(1)
	}
}

// White space and the order of keys are no change; anything else is.
func TestChatComparesParametersAsJSON(t *testing.T) {
	t.Parallel()
	config := func(parameters ...any) core.Object {
		tools := []any{}
		for _, text := range parameters {
			tools = append(tools, core.Object{"name": "weather", "parameters": text})
		}
		return with(least(chat), core.Object{"tools": tools, "triggers": core.Object{"a": "b"}})
	}
	b := newScenario(t)
	b.Applies(chat, config(weather, nil, "{}"))
	before := b.State(chat)
	same := `{ "properties" : {"days": {"type":"integer"}, "city": {"type":"string"}},` + "\n" +
		`"type" : "obj\u0065ct" }`
	for _, parameters := range [][]any{
		{same, nil, "{}"},
		{weather, nil, " {\n}"},
		{same, nil, "{ }"},
		{core.UnknownUntilApply(same), nil, "{}"},
	} {
		b.Resource(chat, config(parameters...))
		plan := b.Plan().Must()
		if parameters[0] == same || parameters[0] == weather {
			plan.WantEmpty()
		}
		b.Refresh().Must()
	}
	b.Applies(chat, config(same, nil, "{ }"))
	b.wantAsked(1)
	check.Equal(t, "the state", b.State(chat), before)
	for i, parameters := range [][]any{
		{`{"type":"object"}`, nil, "{}"}, {weather, "{}", "{}"}, {weather, nil, nil}, {weather, nil},
		{weather, nil, "{}", nil}, {nil, weather, "{}"},
		{strings.Replace(weather, "integer", "number", 1), nil, "{}"},
	} {
		check.True(t, "a replacement", b.Plans(chat, config(parameters...)).Action(chat) == core.Replace, i, parameters)
	}
	// A change beside it takes over the new notation.
	b.Applies(chat, with(config(same, nil, "{ }"), core.Object{"n": 2}))
	b.wantAsked(2)
	check.Equal[any](t, "the parameters", b.Value(chat, "tools[0].parameters"), same)
	b.Plan().Must().WantEmpty()
}

func TestChatBlamesTheAttribute(t *testing.T) {
	t.Parallel()
	for field, attribute := range map[string]string{
		`"body","top_k"`: "top_k", `"body","messages",0,"content"`: "messages", `"autoTurn"`: "auto_turn",
		`"body","tools",0,"function","parameters"`: "tools", `"body"`: "",
	} {
		b := newScenario(t)
		b.Fault(
			mockserver.Fault{
				Route:  mockserver.RouteChat,
				Status: 422,
				Body:   `{"detail":[{"loc":[` + field + `],"msg":"out of range","type":"x"}]}`,
			},
		)
		b.Resource(chat, least(chat))
		result := b.Apply()
		errors := result.Diagnostics.Errors()
		check.True(
			t,
			"one error",
			len(errors) == 1 && errors[0].Path == attribute && strings.Contains(errors[0].Detail, "out of range"),
			field,
			errors,
		)
		check.True(t, field+": nothing is stored", !slices.Contains(b.Addresses(), chat))
	}
}

// Models reply in parts, too: what the state has is their text.
func TestChatContentInParts(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		`"A. B."`: "A. B.",
		`[{"type":"text","text":"A. "},{"type":"text","text":"B."}]`: "A. B.",
		`[{"text":"A."}]`: "A.",
		`[{"type":"thinking","thinking":"so"},{"type":"text","text":"A."}]`: "A.",
		`[{"type":"text","text":""}]`:                                       "",
		`{"reason":"none"}`:                                                 "none",
	} {
		for address, route := range map[string]string{chat: mockserver.RouteChat, vision: mockserver.RouteVision} {
			b := newScenario(t)
			b.Fault(mockserver.Fault{
				Route: route,
				Body:  `{"id":"c1","choices":[{"message":{"role":"assistant","content":` + content + `}}]}`,
			})
			b.Applies(address, least(address))
			check.Equal(t, address+" "+content, b.Value(address, "content"), any(want))
			b.WantCount(t, route, 1)
			b.Plan().Must().WantEmpty()
		}
	}
}
