package api

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// ChatRequest is a conversation to continue. The service decides about nil
// fields; the interface documents neither defaults nor ranges.
type ChatRequest struct {
	Messages             []ChatMessage `json:"messages"`
	Model                *string       `json:"model,omitempty"`
	Temperature          *float64      `json:"temperature,omitempty"`
	TopP                 *float64      `json:"top_p,omitempty"`
	N                    *int64        `json:"n,omitempty"`
	MaxTokens            *int64        `json:"max_tokens,omitempty"`
	Stop                 []string      `json:"stop,omitempty"`
	PresencePenalty      *float64      `json:"presence_penalty,omitempty"`
	FrequencyPenalty     *float64      `json:"frequency_penalty,omitempty"`
	BestOf               *int64        `json:"best_of,omitempty"`
	TopK                 *int64        `json:"top_k,omitempty"`
	RepetitionPenalty    *float64      `json:"repetition_penalty,omitempty"`
	MinP                 *float64      `json:"min_p,omitempty"`
	LengthPenalty        *float64      `json:"length_penalty,omitempty"`
	Compliance           *bool         `json:"compliance,omitempty"`
	Reasoning            *bool         `json:"reasoning,omitempty"`
	CheckImageGeneration *bool         `json:"check_image_generation,omitempty"`
	Tools                []Tool        `json:"tools,omitempty"`
	ToolChoice           *string       `json:"tool_choice,omitempty"`
	AutoTurn             *bool         `json:"autoTurn,omitempty"`
}

// ChatMessage is one message of a conversation.
type ChatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Tool is a tool that the model may call. The only type of tool is a function.
type Tool struct {
	Type     string   `json:"type"`
	Function Function `json:"function"`
}

// Function is a function that the model may call. Parameters is a JSON schema,
// sent unchanged; nil means no parameters.
type Function struct {
	Name        string          `json:"name"`
	Description *string         `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

// VisionRequest is a conversation about images. The service decides about nil
// fields.
type VisionRequest struct {
	Messages    []VisionMessage `json:"messages"`
	Model       *string         `json:"model,omitempty"`
	Temperature *float64        `json:"temperature,omitempty"`
}

// VisionMessage is one message of a conversation about images. The service
// decides about a nil Role.
type VisionMessage struct {
	Role    *string      `json:"role,omitempty"`
	Content []VisionPart `json:"content"`
}

// VisionPart has the type text or image_url.
type VisionPart struct {
	Type     string    `json:"type"`
	Text     *string   `json:"text,omitempty"`
	ImageURL *ImageURL `json:"image_url,omitempty"`
}

// ImageURL is an HTTP address or a data URI.
type ImageURL struct {
	URL string `json:"url"`
}

// Completion is a model's reply to a ChatRequest or VisionRequest.
type Completion struct {
	ID, Object           *string
	Created              *int64 // in seconds since 1970
	Model                *string
	Choices              []Choice // by index
	Usage                *Usage   // nil if the service counts nothing
	ComplianceViolations []string
	PromptLogprobs       *string `as:"json"` // only in vision replies
}

// Choice is one of several alternative replies.
type Choice struct {
	Index                *int64 // from the service, or else the position in Choices
	ChoiceMessage        `reply:"message"`
	FinishReason         *string
	ComplianceViolations []string
	StopReason           *string // StopReason and Logprobs: only in vision replies
	Logprobs             *string `as:"json"`
}

// ChoiceMessage is the message of a Choice.
type ChoiceMessage struct {
	Role                   *string
	Content                *string `as:"text or parts"`
	Reasoning, ImagePrompt *string
	ToolCalls              []ToolCall
	Turns                  []string
	Next                   *bool
}

// ToolCall is a tool call that the model requests.
type ToolCall struct {
	ID, Type     *string
	FunctionCall `reply:"function"`
}

// FunctionCall names the function to call. Arguments is JSON as the model wrote
// it, and may be invalid.
type FunctionCall struct {
	Name      *string
	Arguments *string `as:"text or json"`
}

// Usage counts tokens.
type Usage struct{ PromptTokens, CompletionTokens, TotalTokens *int64 }

// Chat sends POST /chat/completions. The outcome may be unknown, see
// IsEffectUnknown.
func (s *ModelService) Chat(ctx context.Context, request ChatRequest) (*Completion, error) {
	return s.complete(ctx, transport.Post("/chat/completions").JSON(request))
}

// Vision sends POST /media/completions. The outcome may be unknown, see
// IsEffectUnknown.
func (s *ModelService) Vision(ctx context.Context, request VisionRequest) (*Completion, error) {
	return s.complete(ctx, transport.Post("/media/completions").JSON(request))
}

// complete sends a request and returns the reply. A reply without a choice is
// an error.
func (s *ModelService) complete(ctx context.Context, call *transport.Request) (*Completion, error) {
	said, err := s.client.do(ctx, call.Makes().Expect("choices"))
	if err != nil {
		return nil, err
	}
	completion := decode[Completion](said)
	if len(completion.Choices) == 0 {
		return nil, s.client.transport.WithoutResult(call, said)
	}
	for place := range completion.Choices {
		choice := &completion.Choices[place]
		choice.Index = cmp.Or(choice.Index, new(int64(place)))
	}
	slices.SortStableFunc(completion.Choices, func(a, b Choice) int { return cmp.Compare(*a.Index, *b.Index) })
	return completion, nil
}
