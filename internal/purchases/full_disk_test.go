//go:build linux || darwin

package purchases_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

const fullDirectory = "PURCHASES_FULL_DIRECTORY"

// A disk that is full when the second of two logs is written: nothing is sent,
// the first says so, and guards nothing. It is played in a process of its own,
// whose files the system lets grow no further. Fault F4.
func TestLog_fullDisk(t *testing.T) {
	t.Parallel()
	if directory := os.Getenv(fullDirectory); directory != "" {
		failsOnAFullDisk(t, directory)
		return
	}
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLog_fullDisk$")
	command.Env = append(os.Environ(), fullDirectory+"="+t.TempDir())
	output, err := command.CombinedOutput()
	check.True(t, "it fails as it should", err == nil, err, string(output))
}

func failsOnAFullDisk(t *testing.T, directory string) {
	t.Helper()
	const most = 8192
	one := filepath.Join(directory, "one")
	two := filepath.Join(directory, "two")
	filled := strings.Repeat("\n", most-10)
	check.Must(t, os.WriteFile(two, []byte(filled), 0o600))
	log := newRun(t, "org", one, two)
	lift := limitFiles(t, most)
	err := log.Begin(t.Context(), batch("ch", "a"))
	lift()
	check.True(t, "the purchase is refused", errors.Is(err, purchases.ErrLog) && errors.Is(err, syscall.EFBIG), err)
	check.Contains(t, "the log that was written", readFile(t, one), `"sending"`, `"unsent"`)
	wantRefused(t, one, batch("ch", "a"))

	check.Must(t, log.Begin(t.Context(), batch("ch", "a")))
	wantRefused(t, two, batch("ch", "a"), "a")
}

// limitFiles keeps files of this process from growing beyond a size.
func limitFiles(t *testing.T, most uint64) (lift func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	check.Must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	unlimited := limit
	limit.Cur = most
	check.Must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	return func() { check.Must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &unlimited)) }
}
