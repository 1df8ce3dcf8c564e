package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newChatCompletion() resource.Resource {
	return &snapshot[chatInputs, api.Completion]{
		Resource: framework.Resource{Name: "chat_completion"}, noun: "Chat Completion",
		description: "A chat completion, which is a model's reply to a conversation.",
		inputs:      chatAttributes(), fields: chatFields,
		ask: func(ctx context.Context, client *api.Client, inputs *chatInputs) (*api.Completion, error) {
			return client.Chat(ctx, inputs.request())
		},
		id: func(c *api.Completion) *string { return c.ID },
	}
}
