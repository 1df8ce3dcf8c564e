package framework_test

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestProgressEndsWithTheAction(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var lines []string
	say := framework.Progress(ctx, &action.InvokeResponse{SendProgress: func(event action.InvokeProgressEvent) { lines = append(lines, event.Message) }})
	say("begin")
	cancel()
	say("nobody listens")
	check.True(t, "sent", len(lines) == 1 && lines[0] == "begin", lines)
}

func TestDurations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"3h": "3h", "90m": "1h30m", "45s": "45s", "1h0m5s": "1h0m5s", "10m": "10m", "20h": "20h", "500ms": "500ms",
		"": "7m", "soon": "7m", "-3h": "7m", "0s": "7m",
	} {
		check.Equal(t, text, framework.ShortDuration(framework.DurationOr(types.StringValue(text), 7*time.Minute)), want)
	}
	check.Equal(t, "null", framework.DurationOr(types.StringNull(), time.Hour), time.Hour)
}
