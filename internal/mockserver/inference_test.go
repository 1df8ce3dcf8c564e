package mockserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type choice struct {
	Message struct {
		Content     string   `json:"content"`
		Reasoning   string   `json:"reasoning"`
		ImagePrompt string   `json:"image_prompt"`
		Turns       []string `json:"turns"`
		Next        *bool    `json:"next"`
		ToolCalls   []struct {
			Function struct{ Name, Arguments string } `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	FinishReason string `json:"finish_reason"`
}

type completion struct {
	Choices    []choice `json:"choices"`
	Violations []string `json:"compliance_violations"`
}

func TestChat(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text, options string
		check         func(completion) bool
	}{
		"plain": {
			"hello",
			"",
			func(c completion) bool { return strings.HasPrefix(c.Choices[0].Message.Content, "You said: hello.") },
		},
		"several": {"hello", `,"n":3`, func(c completion) bool {
			return len(c.Choices) == 3 && c.Choices[0].Message.Content != c.Choices[2].Message.Content
		}},
		"reasoning": {
			"hello",
			`,"reasoning":true`,
			func(c completion) bool { return c.Choices[0].Message.Reasoning != "" },
		},
		"image prompt": {
			"a picture",
			`,"check_image_generation":true`,
			func(c completion) bool { return c.Choices[0].Message.ImagePrompt == "a picture" },
		},
		"turns": {
			"hello",
			`,"autoTurn":true`,
			func(c completion) bool { m := c.Choices[0].Message; return len(m.Turns) == 2 && m.Next != nil },
		},
		"stop": {
			"hello",
			`,"stop":[":"]`,
			func(c completion) bool { return c.Choices[0].Message.Content == "You said" },
		},
		"tokens": {
			"hello",
			`,"max_tokens":1`,
			func(c completion) bool { return c.Choices[0].FinishReason == "length" },
		},
		"violation": {"drugs", "", func(c completion) bool { return slices.Equal(c.Violations, []string{"drug_use"}) }},
		"no check":  {"drugs", `,"compliance":false`, func(c completion) bool { return len(c.Violations) == 0 }},
		"tool": {
			"call weather",
			`,"tools":[{"type":"function","function":{"name":"weather","parameters":{"type":"object"}}}]`,
			func(c completion) bool { return c.Choices[0].Message.ToolCalls[0].Function.Name == "weather" },
		},
		"no tool": {
			"call weather",
			`,"tools":[{"type":"function","function":{"name":"weather"}}],"tool_choice":"none"`,
			func(c completion) bool { return len(c.Choices[0].Message.ToolCalls) == 0 },
		},
	} {
		c := start(t, mockserver.Options{})
		got := c.do(
			"POST",
			"/v2/chat/completions",
			fmt.Sprintf(`{"messages":[{"role":"user","content":%q}]%s}`, test.text, test.options),
			200,
		)
		var decoded completion
		err := json.Unmarshal([]byte(got.body), &decoded)
		check.True(t, name, err == nil && test.check(decoded), err, got.body)
	}
}

func TestOtherInference(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	vision := c.do(
		"POST",
		"/v2/media/completions",
		`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"what?"},{"type":"image_url",`+
			`"image_url":{"url":"https://a/b.png"}}]}]}`,
		200,
	).body
	check.Contains(t, "vision", vision, "1 image seen")
	metadata := c.do(
		"POST",
		"/v2/media/categories",
		`{"media_url":"https://a/b.png","metadata":["tags","scene"]}`,
		200,
	).object["metadata"].(map[string]any)
	check.True(t, "metadata", len(metadata) == 2 && metadata["tags"] != nil && metadata["scene"] != nil, metadata)
	output := c.do("POST", "/v2/generate/image", `{"prompt":"a castle"}`, 200).object["output"].([]any)
	drawn, err := png.Decode(bytes.NewBufferString(c.do("GET", path(t, output[0].(string)), "", 200).body))
	check.True(t, "image", err == nil && drawn.Bounds().Dx() == 384, err)
	c.do("GET", "/media/images/picture_000009.png", "", 404)
	c.do("GET", "/media/unknown/x", "", 404)
}
