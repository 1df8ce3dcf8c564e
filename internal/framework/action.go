package framework

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
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

// Duration rejects anything but a positive duration, such as 30m.
func Duration() validator.String {
	return stringRule{"must be a duration above zero, as in 30m", func(value string) string {
		switch duration, err := time.ParseDuration(value); {
		case err != nil:
			return fmt.Sprintf("is %q, which is no duration: write it as in 30m or 1h30m", value)
		case duration <= 0:
			return fmt.Sprintf("is %s, and must be above zero", value)
		}
		return ""
	}}
}

// DurationOr returns a duration that has passed validation, or the default if
// it is not set.
func DurationOr(value types.String, standard time.Duration) time.Duration {
	if duration, err := time.ParseDuration(value.ValueString()); err == nil && duration > 0 {
		return duration
	}
	return standard
}

// ShortDuration formats a duration without units that are zero, as in 3h.
func ShortDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-len("0s")]
		}
	}
	return text
}
