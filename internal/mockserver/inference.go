package mockserver

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

type usageBody struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

type toolCallBody struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Function toolFunctionBody `json:"function"`
}

type toolFunctionBody struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func newToolCall(name, text string) toolCallBody {
	arguments := string(encode(map[string]any{"text": text}))
	return toolCallBody{"call_" + fingerprint(text), "function", toolFunctionBody{name, arguments}}
}

type visionRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Content []struct {
			Text     string `json:"text"`
			ImageURL struct {
				URL string `json:"url"`
			} `json:"image_url"`
		} `json:"content"`
	} `json:"messages"`
}

type visionBody struct {
	ID             string         `json:"id"`
	Object         string         `json:"object"`
	Created        int64          `json:"created"`
	Model          string         `json:"model"`
	Choices        []visionChoice `json:"choices"`
	Usage          usageBody      `json:"usage"`
	PromptLogprobs map[string]any `json:"prompt_logprobs"`
}

type visionChoice struct {
	Index        int            `json:"index"`
	Message      visionMessage  `json:"message"`
	Logprobs     map[string]any `json:"logprobs"`
	FinishReason string         `json:"finish_reason"`
	StopReason   *string        `json:"stop_reason"`
}

type visionMessage struct {
	Role      string         `json:"role"`
	Content   string         `json:"content"`
	ToolCalls []toolCallBody `json:"tool_calls"`
}

// vision is endpoint 2. It calls the tool that the text names after "call ".
func (s *Server) vision(c *call, request visionRequest) (any, error) {
	images := 0
	var read strings.Builder
	for _, message := range request.Messages {
		for _, part := range message.Content {
			read.WriteString(part.Text)
			if part.ImageURL.URL != "" {
				images++
				read.WriteString(part.ImageURL.URL)
			}
		}
	}
	text := read.String()
	calls := []toolCallBody{}
	if _, name, found := strings.Cut(text, "call "); found {
		calls = append(calls, newToolCall(name, text))
	}
	answer := plural(images, "image") + " seen, fingerprint " + fingerprint(text)
	return visionBody{
		ID:      s.world.nextID("vision"),
		Object:  "chat.completion",
		Created: c.now.Unix(),
		Model:   cmp.Or(request.Model, "mock-vision-1"),
		Choices: []visionChoice{{
			Message: visionMessage{
				Role:      "assistant",
				Content:   answer,
				ToolCalls: calls,
			},
			FinishReason: "stop",
			Logprobs:     map[string]any{"tokens": []any{answer}},
		}},
		Usage: count(text, answer),
	}, nil
}

type categoriesRequest struct {
	MediaURL  string   `json:"media_url"`
	Metadata  []string `json:"metadata"`
	UseScenes bool     `json:"use_scenes"`
}

// categories handles POST /media/categories. With Options.Extended, the answer to
// a video is a job; under the variant CategoryJob, each answer is.
func (s *Server) categories(c *call, request categoriesRequest) (any, error) {
	if s.opts.Extended && (s.opts.Variant.CategoryJob || isVideo(request.MediaURL)) {
		return s.categorizeLater(c, request), nil
	}
	return map[string]any{"metadata": request.metadata()}, nil
}

// metadata returns the requested metadata.
func (r categoriesRequest) metadata() map[string][]string {
	words := map[string][]string{
		"participants": {"one person"}, "categories": {"portrait", "outdoor"}, "actions": {"standing"},
		"scene": {"a garden in the evening"}, "tags": {"tag-" + fingerprint(r.MediaURL), "daylight"},
	}
	metadata := map[string][]string{}
	for name, list := range words {
		if slices.Contains(r.Metadata, name) {
			metadata[name] = list
		}
	}
	return metadata
}

// imageRequest is a request for an image, or for a new image in a dataset.
type imageRequest struct {
	Prompt string `json:"prompt"`
}

// image is endpoint 4.
func (s *Server) image(c *call, request imageRequest) (any, error) {
	id := s.world.nextID("picture")
	s.world.images[id] = &picture{request.Prompt}
	address := c.origin + "/media/images/" + url.PathEscape(id) + ".png"
	return map[string]any{"output": s.inline(request.Prompt, []string{address})}, nil
}
