package mockserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

type chatRequest struct {
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Model                string   `json:"model"`
	N                    int      `json:"n"`
	MaxTokens            *int     `json:"max_tokens"`
	Stop                 []string `json:"stop"`
	Compliance           *bool    `json:"compliance"`
	Reasoning            bool     `json:"reasoning"`
	CheckImageGeneration bool     `json:"check_image_generation"`
	Tools                []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice string `json:"tool_choice"`
	AutoTurn   bool   `json:"autoTurn"`
}

type chatBody struct {
	ID                   string       `json:"id"`
	Object               string       `json:"object"`
	Created              int64        `json:"created"`
	Model                string       `json:"model"`
	Choices              []chatChoice `json:"choices"`
	Usage                usageBody    `json:"usage"`
	ComplianceViolations []string     `json:"compliance_violations"`
}

type chatChoice struct {
	Index                int         `json:"index"`
	Message              chatMessage `json:"message"`
	FinishReason         string      `json:"finish_reason"`
	ComplianceViolations []string    `json:"compliance_violations"`
}

type chatMessage struct {
	Role        string         `json:"role,omitempty"`
	Content     string         `json:"content,omitempty"`
	Reasoning   string         `json:"reasoning,omitempty"`
	ImagePrompt string         `json:"image_prompt,omitempty"`
	ToolCalls   []toolCallBody `json:"tool_calls,omitempty"`
	Turns       []string       `json:"turns,omitempty"`
	Next        *bool          `json:"next,omitempty"`
}

// forbidden maps words of a message to the violation that the reply reports.
var forbidden = map[string]string{"drug": "drug_use", "pedophil": "pedophilia"}

// chat is endpoint 1. Apart from its id and time, the reply follows from the
// request alone.
func (s *Server) chat(c *call, request chatRequest) (any, error) {
	if request.N < 0 {
		return nil, invalid("n must be at least 1")
	}
	body := chatBody{
		ID:                   s.world.nextID("chat"),
		Object:               "chat.completion",
		Created:              c.now.Unix(),
		Model:                cmp.Or(request.Model, "mock-chat-1"),
		Choices:              []chatChoice{},
		ComplianceViolations: []string{},
	}
	if override(request.Compliance, true) {
		body.ComplianceViolations = request.violations()
	}
	for i := range max(request.N, 1) {
		choice := request.choice(i)
		choice.ComplianceViolations = body.ComplianceViolations
		body.Choices = append(body.Choices, choice)
	}
	body.Usage = count(request.text(), body.Choices[0].Message.Content)
	return body, nil
}

func (r chatRequest) choice(index int) chatChoice {
	last := ""
	if said := len(r.Messages); said > 0 {
		last = r.Messages[said-1].Content
	}
	choice := chatChoice{
		Index:        index,
		FinishReason: "stop",
		Message:      chatMessage{Role: "assistant"},
	}
	message := &choice.Message
	if r.Reasoning {
		message.Reasoning = fmt.Sprintf("The last of %s counts.", plural(len(r.Messages), "message"))
	}
	if name := r.calledTool(last); name != "" {
		choice.FinishReason = "tool_calls"
		message.ToolCalls = []toolCallBody{newToolCall(name, last)}
		return choice
	}
	message.Content, choice.FinishReason = r.answer(index, last)
	if r.CheckImageGeneration && strings.Contains(strings.ToLower(last), "picture") {
		message.ImagePrompt = last
	}
	if r.AutoTurn {
		next := false
		message.Turns = strings.SplitAfter(message.Content, ". ")
		message.Next = &next
	}
	return choice
}

// calledTool returns the first tool that the message mentions.
func (r chatRequest) calledTool(message string) string {
	if r.ToolChoice == "none" {
		return ""
	}
	for _, tool := range r.Tools {
		if strings.Contains(message, tool.Function.Name) {
			return tool.Function.Name
		}
	}
	return ""
}

func (r chatRequest) answer(index int, last string) (text, finish string) {
	text = fmt.Sprintf("You said: %s. This is answer %d, fingerprint %s.", last, index+1, fingerprint(r.text()))
	for _, stop := range r.Stop {
		if before, _, found := strings.Cut(text, stop); found && stop != "" {
			text = before
		}
	}
	if words := strings.Fields(text); r.MaxTokens != nil && *r.MaxTokens >= 0 && len(words) > *r.MaxTokens {
		return strings.Join(words[:*r.MaxTokens], " "), "length"
	}
	return text, "stop"
}

func (r chatRequest) text() string {
	var all strings.Builder
	for _, message := range r.Messages {
		all.WriteString(message.Content + "\n")
	}
	return all.String()
}

func (r chatRequest) violations() []string {
	found := []string{}
	for part, name := range forbidden {
		if strings.Contains(strings.ToLower(r.text()), part) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// count counts words as tokens.
func count(prompt, completion string) usageBody {
	asked := len(strings.Fields(prompt))
	answered := len(strings.Fields(completion))
	return usageBody{asked, answered, asked + answered}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
