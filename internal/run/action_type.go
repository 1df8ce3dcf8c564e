package run

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// ActionType describes an action. C is the type of its decoded configuration.
type ActionType[C any] struct {
	Name        string // without the provider's name
	Description string
	Attributes  map[string]schema.Attribute
	// Before, which may be nil, is called before anything can fail.
	Before func(ctx context.Context, data *ProviderData, config tfsdk.Config)
	// Run executes the action; send shows a line of progress.
	Run func(ctx context.Context, data *ProviderData, config C, send func(line string)) diag.Diagnostics
}

// New returns the action.
func (a ActionType[C]) New() action.Action { return &actionType[C]{of: a} }

// actionType is the action that an ActionType describes.
type actionType[C any] struct {
	of   ActionType[C]
	data *ProviderData
}

func (a *actionType[C]) Configure(_ context.Context, req action.ConfigureRequest, _ *action.ConfigureResponse) {
	a.data = DataFrom(req.ProviderData)
}

func (a *actionType[C]) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + a.of.Name
}

func (a *actionType[C]) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: a.of.Description, Attributes: a.of.Attributes}
}

// Invoke runs the action with the client of its provider configuration, and
// sends its progress.
func (a *actionType[C]) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	if a.of.Before != nil && a.data != nil {
		a.of.Before(ctx, a.data, req.Config)
	}
	var config C
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() || !a.data.Ready(&resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(a.of.Run(ctx, a.data, config, Progress(ctx, resp))...)
}

// Progress returns a function that sends an action's lines to the CLI. It sends
// nothing after an interrupt, because sending could then block for ever.
func Progress(ctx context.Context, resp *action.InvokeResponse) func(line string) {
	return func(line string) {
		if ctx.Err() == nil {
			resp.SendProgress(action.InvokeProgressEvent{Message: line})
		}
	}
}
