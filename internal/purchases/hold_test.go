//go:build !windows

package purchases_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// hold locks a file as another process does.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	check.Must(t, err)
	check.Must(t, unix.Flock(int(file.Fd()), unix.LOCK_EX))
	return func() { check.Must(t, file.Close()) }
}

// A lock that another process holds ends a purchase with an error, or with an
// interrupt at once. What has happened is written later, and delays nothing.
func TestLog_isHeldByAnother(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	log := newRun(t, "org", path)
	entry := batch("ch", "a")
	check.Must(t, log.Begin(t.Context(), entry))
	release := hold(t, path)
	err := newRun(t, "org", path).Begin(t.Context(), batch("ch", "b"))
	check.True(
		t,
		"an error",
		errors.Is(err, purchases.ErrLog) && strings.Contains(err.Error(), "another process holds it"),
		err,
	)
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	err = newRun(t, "org", path).Begin(interrupted, batch("ch", "b"))
	check.True(t, "an interrupt", wait.IsCanceled(err), err)
	log.End(entry, nil)
	check.True(t, "what could not be written is told", len(log.Unwritten()) == 1)
	release()
	log.End(entry, nil)
	check.True(t, "it is written", strings.Contains(readFile(t, path), `"answered"`) && len(log.Unwritten()) == 0)
}
