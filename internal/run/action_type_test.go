package run_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

func TestProgressEndsWithTheAction(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var lines []string
	say := run.Progress(
		ctx,
		&action.InvokeResponse{
			SendProgress: func(event action.InvokeProgressEvent) { lines = append(lines, event.Message) },
		},
	)
	say("begin")
	cancel()
	say("nobody listens")
	check.True(t, "sent", len(lines) == 1 && lines[0] == "begin", lines)
}
