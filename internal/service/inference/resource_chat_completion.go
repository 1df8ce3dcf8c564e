package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newChatCompletion() resource.Resource {
	return &snapshot[chatInputs, api.Completion]{
		Resource: framework.Resource{Name: "chat_completion"}, noun: "Chat Completion",
		description: "A model's reply to a conversation.", note: " What is unset is left to the service.",
		inputs: chatAttributes(), fields: chatFields,
		ask: func(ctx context.Context, client *api.Client, inputs *chatInputs) (*api.Completion, error) {
			return client.Chat(ctx, inputs.request())
		},
		id: func(c *api.Completion) *string { return c.ID }, warn: warnOfStream,
	}
}

// warnOfStream names what services refuse, or omit, in streamed replies.
func warnOfStream(ctx context.Context, plan tfsdk.Plan, diags *diag.Diagnostics) {
	flag := func(name string) bool {
		var value types.Bool
		diags.Append(plan.GetAttribute(ctx, path.Root(name), &value)...)
		return value.ValueBool()
	}
	if flag("stream") && flag("auto_turn") {
		diags.AddAttributeWarning(path.Root("auto_turn"), "Turns of a Streamed Reply",
			"Both stream and auto_turn are set. Services are known to refuse that; others may leave out the turns. Leave out stream: it changes nothing in what is stored.")
	}
}
