package mockserver

import (
	"encoding/json"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// eventStream is a reply of server-sent events.
type eventStream []byte

type chunkBody struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []chunkChoice `json:"choices"`
	Usage   *usageBody    `json:"usage,omitempty"`

	ComplianceViolations []string `json:"compliance_violations,omitempty"`
}

type chunkChoice struct {
	Index        int        `json:"index"`
	Delta        chunkDelta `json:"delta"`
	FinishReason *string    `json:"finish_reason"`
}

type chunkDelta struct {
	Role      string      `json:"role,omitempty"`
	Content   string      `json:"content,omitempty"`
	Reasoning string      `json:"reasoning,omitempty"`
	ToolCalls []chunkTool `json:"tool_calls,omitempty"`
	Turns     []string    `json:"turns,omitempty"`
	Next      *bool       `json:"next,omitempty"`
}

type chunkTool struct {
	Index    int           `json:"index"`
	ID       string        `json:"id,omitempty"`
	Type     string        `json:"type,omitempty"`
	Function chunkFunction `json:"function"`
}

type chunkFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"`
}

// stream splits a completion into events: the role, words, halves of a tool
// call's arguments, the finish reason, and the usage.
func (s *Server) stream(body chatBody) eventStream {
	var events strings.Builder
	send := func(chunk chunkBody) {
		chunk.ID, chunk.Object, chunk.Created, chunk.Model = body.ID, "chat.completion.chunk", body.Created, body.Model
		chunk.ComplianceViolations = body.ComplianceViolations // none, unless the variant repeats them
		encoded, err := json.Marshal(chunk)
		if err == nil {
			err = s.checkChunk(encoded)
		}
		if err != nil {
			s.violate("chunk of a streamed reply: %v", err)
		}
		events.WriteString("data: " + string(encoded) + "\n\n")
	}
	for _, choice := range body.Choices {
		for i, delta := range choice.Message.deltas() {
			if i == 0 {
				delta.Turns, delta.Next = choice.Message.Turns, choice.Message.Next // none, unless the variant streams them
			}
			send(chunkBody{Choices: []chunkChoice{{Index: choice.Index, Delta: delta}}})
		}
		send(chunkBody{Choices: []chunkChoice{{Index: choice.Index, FinishReason: &choice.FinishReason}}})
	}
	send(chunkBody{Choices: []chunkChoice{}, Usage: &body.Usage})
	events.WriteString("data: [DONE]\n\n")
	return eventStream(events.String())
}

func (m chatMessage) deltas() []chunkDelta {
	deltas := []chunkDelta{{Role: m.Role}}
	if m.Reasoning != "" {
		deltas = append(deltas, chunkDelta{Reasoning: m.Reasoning})
	}
	for _, word := range strings.SplitAfter(m.Content, " ") {
		if word != "" {
			deltas = append(deltas, chunkDelta{Content: word})
		}
	}
	for i, call := range m.ToolCalls {
		half := len(call.Function.Arguments) / 2
		deltas = append(deltas,
			chunkDelta{ToolCalls: []chunkTool{{i, call.ID, call.Type, chunkFunction{call.Function.Name, call.Function.Arguments[:half]}}}},
			chunkDelta{ToolCalls: []chunkTool{{Index: i, Function: chunkFunction{Arguments: call.Function.Arguments[half:]}}}})
	}
	return deltas
}

func (s *Server) checkChunk(encoded []byte) error {
	var value any
	if err := json.Unmarshal(encoded, &value); err != nil {
		return err
	}
	return s.spec.Components.Schemas["ChatChunk"].Value.VisitJSON(value, openapi3.VisitAsResponse())
}
