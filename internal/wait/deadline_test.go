package wait_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestADeadlineCancelsNothing(t *testing.T) {
	t.Parallel()
	if _, ok := wait.Deadline(t.Context()); ok {
		t.Error("a deadline that nobody set")
	}
	past := time.Unix(0, 0)
	ctx := wait.WithDeadline(t.Context(), past)
	if deadline, ok := wait.Deadline(ctx); !ok || !deadline.Equal(past) || ctx.Err() != nil {
		t.Errorf("%s, %t, %v", deadline, ok, ctx.Err())
	}
	if _, ok := wait.Deadline(wait.WithDeadline(ctx, time.Time{})); ok {
		t.Error("the zero time does not lift the bound")
	}
}
