package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// Progress sends an action's lines to the CLI. After an interruption nobody may
// be listening, and sending would block for ever.
func Progress(ctx context.Context, resp *action.InvokeResponse) func(line string) {
	return func(line string) {
		if ctx.Err() == nil {
			resp.SendProgress(action.InvokeProgressEvent{Message: line})
		}
	}
}

// LogProgress logs a resource's lines: CLIs show none while an operation lasts.
func LogProgress(ctx context.Context) func(line string) {
	return func(line string) { tflog.Info(ctx, line) }
}
