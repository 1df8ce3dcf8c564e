package inference_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// longest is the longest data URI that is sent: 64 KiB.
var longest = "data:image/png;base64," + strings.Repeat("A", 64<<10-len("data:image/png;base64,"))

// Invalid input is rejected on its attribute before anything is sent.
// Fault F26.
func TestInvalidInputsSendNothing(t *testing.T) {
	t.Parallel()
	huge := json.Number("1e400")
	message := func(role, content any) core.Object {
		return core.Object{"messages": []any{core.Object{"role": role, "content": content}}}
	}
	tool := func(name, description, parameters any) core.Object {
		return core.Object{
			"tools": []any{core.Object{"name": name, "description": description, "parameters": parameters}},
		}
	}
	part := func(part any) core.Object {
		return core.Object{"messages": shown(core.Object{"text": "What?"}, part)}
	}
	url := func(address any) core.Object { return part(core.Object{"image_url": address}) }
	for _, test := range []struct {
		address string
		change  core.Object
		path    string
	}{
		{chat, core.Object{"messages": nil}, "messages"},
		{chat, core.Object{"messages": []any{nil}}, "messages[0]"},
		{chat, message("user", nil), "messages[0].content"},
		{chat, message("user", "a\x00"), "messages[0].content"},
		{chat, message(nil, "a"), "messages[0].role"},
		{chat, message("us\x00er", "a"), "messages[0].role"},
		{chat, core.Object{"model": "m\x00"}, "model"},
		{chat, core.Object{"temperature": huge}, "temperature"},
		{chat, core.Object{"min_p": json.Number("-1e400")}, "min_p"},
		{chat, core.Object{"n": 1.5}, "n"},
		{chat, core.Object{"max_tokens": json.Number("9223372036854775808")}, "max_tokens"},
		{chat, core.Object{"top_k": huge}, "top_k"},
		{chat, core.Object{"stop": []any{nil}}, "stop[0]"},
		{chat, core.Object{"stop": []any{"a", "b\x00"}}, "stop[1]"},
		{chat, core.Object{"tools": []any{nil}}, "tools[0]"},
		{chat, tool(nil, nil, nil), "tools[0].name"},
		{chat, tool("f\x00", nil, nil), "tools[0].name"},
		{chat, tool("f", "\x00", nil), "tools[0].description"},
		{chat, tool("f", "", ""), "tools[0].parameters"},
		{chat, tool("f", "", "{"), "tools[0].parameters"},
		{chat, tool("f", "", "{} {}"), "tools[0].parameters"},
		{chat, tool("f", "", "null"), "tools[0].parameters"},
		{chat, tool("f", "", " []"), "tools[0].parameters"},
		{chat, tool("f", "", `"{}"`), "tools[0].parameters"},
		{chat, tool("f", "", "{\"a\x00\":1}"), "tools[0].parameters"},
		{chat, core.Object{"tool_choice": ""}, "tool_choice"},
		{chat, core.Object{"tool_choice": "required"}, "tool_choice"},
		{vision, core.Object{"temperature": huge}, "temperature"},
		{vision, core.Object{"messages": []any{nil}}, "messages[0]"},
		{vision, core.Object{"messages": shown()}, "messages[0].content"},
		{vision, part(nil), "messages[0].content[1]"},
		{vision, part(core.Object{}), "messages[0].content[1].text"},
		{
			vision,
			part(core.Object{"text": "a", "image_url": "https://a.example.com/b.png"}),
			"messages[0].content[1].text",
		},
		{vision, part(core.Object{"text": "a\x00"}), "messages[0].content[1].text"},
		{vision, url(""), "messages[0].content[1].image_url"},
		{vision, url("a.png"), "messages[0].content[1].image_url"},
		{vision, url("file:///a.png"), "messages[0].content[1].image_url"},
		{vision, url("javascript:alert(1)"), "messages[0].content[1].image_url"},
		{vision, url("https:///a.png"), "messages[0].content[1].image_url"},
		{vision, url("https://me:secret@a.example.com/b.png"), "messages[0].content[1].image_url"},
		{vision, url("https://a.example.com/\x00.png"), "messages[0].content[1].image_url"},
		{vision, url("data:"), "messages[0].content[1].image_url"},
		{vision, url("data:image/png;base64,"), "messages[0].content[1].image_url"},
		{vision, url("data:image/png;base64,iVBO Rw0K"), "messages[0].content[1].image_url"},
		{vision, url("data:image/png;base64,iVBO\x00"), "messages[0].content[1].image_url"},
		{vision, url(longest + "A"), "messages[0].content[1].image_url"},
		{categories, core.Object{"media_url": nil}, "media_url"},
		{categories, core.Object{"media_url": "ftp://a.example.com/b.png"}, "media_url"},
		{categories, core.Object{"media_url": "data:image/png;base64"}, "media_url"},
		{categories, core.Object{"media_url": longest + "A"}, "media_url"},
		{categories, core.Object{"media_url": "https://me@a.example.com/b.png"}, "media_url"},
		{categories, core.Object{"media_url": "//a.example.com/b.png"}, "media_url"},
		{categories, core.Object{"metadata": nil}, "metadata"},
		{categories, core.Object{"metadata": []any{}}, "metadata"},
		{categories, core.Object{"metadata": []any{nil}}, "metadata"},
		{categories, core.Object{"metadata": []any{"tags", "Scene"}}, `metadata["Scene"]`},
		{image, core.Object{"prompt": nil}, "prompt"},
		{image, core.Object{"prompt": ""}, "prompt"},
		{image, core.Object{"prompt": "\n \t"}, "prompt"},
		{image, core.Object{"prompt": "a\x00"}, "prompt"},
	} {
		b := newScenario(t)
		b.Resource(test.address, with(least(test.address), test.change))
		messages := b.Apply().Diagnostics
		check.True(t, "is refused", len(messages.Errors().At(test.path)) != 0, test.change, test.path, messages)
		for _, message := range messages.Errors() {
			// CLIs show where an attribute is, but no path within it.
			named := strings.Contains(strings.ReplaceAll(message.Detail, `Value("Scene")`, `"Scene"`), test.path)
			check.True(
				t,
				"a message names the path",
				!strings.ContainsAny(test.path, ".[") || named,
				test.path,
				message,
			)
		}
		b.WantNoRequests(t)
	}
}

// The interface documents no ranges, and not what may be blank: what is not
// rejected is sent.
func TestUnusualInputsAreSent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		address string
		change  core.Object
	}{
		{
			chat,
			core.Object{
				"temperature": -1e308,
				"top_p":       17,
				"min_p":       5e-324,
				"max_tokens":  0,
				"top_k":       -1,
				"best_of":     json.Number("-9223372036854775808"),
			},
		},
		{
			chat,
			core.Object{"messages": said("", "  \n", "\u202eright to left\u0007"), "stop": []any{""}, "tools": []any{}},
		},
		{chat, core.Object{"tools": []any{core.Object{"name": "f g/ü", "description": "", "parameters": "{}"}}}},
		{chat, core.Object{"messages": []any{core.Object{"role": "developer", "content": "a"}}}},
		{
			vision,
			core.Object{
				"messages": []any{core.Object{"role": "developer", "content": []any{core.Object{"text": "a"}}}},
			},
		},
		{
			chat,
			core.Object{
				"model":    "",
				"messages": []any{core.Object{"role": " ", "content": "a"}},
				"tools":    []any{core.Object{"name": ""}},
			},
		},
		{
			vision,
			core.Object{
				"model":    " ",
				"messages": []any{core.Object{"role": "", "content": []any{core.Object{"text": "a"}}}},
			},
		},
		{
			vision,
			core.Object{
				"messages": shown(
					core.Object{"text": ""},
					core.Object{"image_url": "https://[2001:db8::1]:8443/a b.png?x=1#y"},
				),
			},
		},
		{
			vision,
			core.Object{
				"messages": shown(
					core.Object{"image_url": "data:image/png;base64,iVBORw0KGgo="},
					core.Object{"image_url": "data:,%41"},
				),
			},
		},
		{
			categories,
			core.Object{
				"media_url": "http://a.example.com",
				"metadata":  []any{"tags", "scene", "actions", "participants", "categories"},
			},
		},
		{categories, core.Object{"media_url": longest}},
		{vision, core.Object{"messages": shown(core.Object{"image_url": longest})}},
		{image, core.Object{"prompt": " a\r\n\tcastle "}},
	} {
		b := newScenario(t)
		b.Applies(test.address, with(least(test.address), test.change))
		b.wantAsked(1)
		b.Plan().Must().WantEmpty()
	}
}
