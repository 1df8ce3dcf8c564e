package purchases_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// A file that has two names is one file: it is locked once, and has each entry
// once. Two runs locked themselves out for 31 seconds each. Fault F40.
func TestLog_oneFileUnderTwoNames(t *testing.T) {
	t.Parallel()
	for name, alias := range map[string]func(t *testing.T, path string) string{
		"a link": func(t *testing.T, path string) string {
			check.Must(t, os.WriteFile(path, nil, 0o600))
			other := filepath.Join(t.TempDir(), "link")
			check.Must(t, os.Symlink(path, other))
			return other
		},
		"a hard link": func(t *testing.T, path string) string {
			check.Must(t, os.WriteFile(path, nil, 0o600))
			other := filepath.Join(filepath.Dir(path), "0 hard link")
			check.Must(t, os.Link(path, other))
			return other
		},
		"a link to its directory": func(t *testing.T, path string) string {
			other := filepath.Join(t.TempDir(), "link")
			check.Must(t, os.Symlink(filepath.Dir(path), other))
			return filepath.Join(other, filepath.Base(path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			other := alias(t, path)
			for i, names := range [][]string{{path, other}, {other, path}} {
				log := newRun(t, "org", names...)
				check.NoError(t, log.Check())
				entry := batch("ch", []string{"a", "b"}[i])
				buys(t, log, "x", entry, nil)
				log.End(log.Note(&purchases.Entry{Type: "delete_group", GroupID: "other"}), nil)
				check.Equal(t, "what could not be written", len(log.Unwritten()), 0)
			}
			check.Equal(t, "lines", strings.Count(readFile(t, path), "\n"), 8)
			wantRefused(t, other, batch("ch", "a", "b"), "a", "b")
		})
	}
}

// Files of one name in two directories are two.
func TestLog_twoFilesOfOneName(t *testing.T) {
	t.Parallel()
	one := newPath(t)
	two := newPath(t)
	buys(t, newRun(t, "org", one, two), "x", batch("ch", "a"), nil)
	check.Equal(t, "both have it", readFile(t, one), readFile(t, two))
}

// A pipe is refused at once: to open it would wait for its other end. A
// directory and a device are, too. Fault F40.
func TestLog_isARegularFile(t *testing.T) {
	t.Parallel()
	pipe := newPath(t)
	makesPipes := check.MakeFIFO(t, pipe) == nil
	for name, path := range map[string]string{"a pipe": pipe, "a directory": t.TempDir(), "a device": os.DevNull} {
		if name == "a pipe" && !makesPipes {
			continue
		}
		log := newRun(t, "org", path)
		check.True(t, name+" is told at plan", log.Check() != nil)
		err := log.Begin(t.Context(), batch("ch", "a"))
		check.True(t, name+" is refused", errors.Is(err, purchases.ErrLog) && strings.Contains(err.Error(), path), err)
		listed, err := purchases.ReadFile(path)
		check.True(t, name+" is not listed", err != nil && listed == nil, err)
	}
}
