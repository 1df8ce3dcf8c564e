package generation_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// booked are the last lines of a purchase log.
func booked(t *testing.T, path string, count int) (lines []map[string]any) {
	t.Helper()
	content, err := os.ReadFile(path)
	check.Must(t, err)
	for text := range strings.Lines(string(content)) {
		var line map[string]any
		check.Must(t, json.Unmarshal([]byte(text), &line))
		lines = append(lines, line)
	}
	return lines[max(0, len(lines)-count):]
}

// The answer's line says which key has which generation, as the state does,
// however the service numbers them, and whether that is certain.
func TestPurchaseLog_matchesResults(t *testing.T) {
	t.Parallel()
	for name, certain := range map[string]bool{
		"plain":         true,
		"index-from-1":  true,
		"index-missing": false,
		"one-id":        false,
		"equal-shared":  true,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := mockserver.Variants()
			maps.Copy(known, mockserver.LossyVariants())
			variant, found := known[name]
			check.True(t, "the variant is known", found, name)
			s := newScenario(t, func(o *mockserver.Options) { o.Variant = variant })
			path := filepath.Join(t.TempDir(), "log")
			s.Set(core.Object{"purchase_log": path})
			s.applies(map[string]string{"a": "A", "b": "B", "c": "C"})
			answer := booked(t, path, 3)[1]
			check.True(t, "the line", answer["outcome"] == "answered" && answer["type"] == "batch" &&
				answer["title"] == "Portraits" && answer["character_id"] == "ch_1", answer)
			check.Equal[any](t, "certain", answer["certain"], certain)
			if name == "one-id" {
				return // nobody knows whose it is
			}
			ids := map[string]any{"a": s.idOf("a"), "b": s.idOf("b"), "c": s.idOf("c")}
			check.True(
				t,
				"the ids are those of the state",
				!certain || cmp.Equal(answer["generations"], any(ids)),
				answer,
				ids,
			)
			check.Equal(t, "the group", answer["group_id"], s.Value(groupAddress, "id"))
		})
	}
}

// A log that cannot be written is an error at plan, and at an apply whose plan
// could not know it, before anything is bought.
func TestPurchaseLog_unwritable(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, directory string) (path, reason string){
		"no directory": func(t *testing.T, directory string) (path, reason string) {
			path = filepath.Join(directory, "missing", "log")
			return path, check.Refusal(t, path)
		},
		"a folder": func(_ *testing.T, directory string) (path, reason string) { return directory, "directory" },
		"a dangling link": func(t *testing.T, directory string) (path, reason string) {
			path = filepath.Join(directory, "log")
			check.Must(t, os.Symlink(filepath.Join(directory, "unmounted"), path))
			return path, "a link"
		},
		"a line beyond bounds": func(t *testing.T, directory string) (path, reason string) {
			path = filepath.Join(directory, "log")
			check.Must(t, os.WriteFile(path, []byte(strings.Repeat("x", 33<<20)), 0o600))
			return path, "a line is longer than 32 MiB"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			plan := s.plans(map[string]string{"a": "A"})
			path, reason := spoil(t, t.TempDir())
			s.Set(core.Object{"purchase_log": path})
			refused := s.Plan().Diagnostics.Errors()
			check.Equal(t, "errors of the plan", len(refused), 1)
			check.Contains(
				t,
				"the error",
				refused.String(),
				"Purchase Log Cannot Be Written",
				path,
				reason,
				"MEDIAGEN_PURCHASE_LOG",
			)
			found := s.ApplyPlan(plan).Diagnostics.Errors()
			check.Equal(t, "errors of the apply", len(found), 1)
			check.Contains(t, "the error", found.String(), path, reason, "Nothing was bought", "MEDIAGEN_PURCHASE_LOG")
			s.WantCount(t, mockserver.RouteBatch, 0)
			s.Set(nil)
			s.Apply().Must()
			s.Plan().Must().WantEmpty()
		})
	}
}

// An answer that cannot be logged is in a warning, and the purchase in the state.
func TestPurchaseLog_lostMeanwhile(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	directory := filepath.Join(t.TempDir(), "logs")
	check.Must(t, os.Mkdir(directory, 0o700))
	s.Set(core.Object{"purchase_log": filepath.Join(directory, "log")})
	s.group(map[string]string{"a": "A"})
	s.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteBatch,
			Nth:     1,
			Reached: func() { check.NoError(t, os.RemoveAll(directory)) },
		},
	)
	s.WantWarning(s.Apply().Must().Diagnostics, "Purchase Log Is Incomplete", `"generations":{"a":"`+s.idOf("a")+`"}`)
	s.Plan().Must().WantEmpty()
}

// Deletions leave a line before and one after each.
func TestPurchaseLog_deletions(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	path := filepath.Join(t.TempDir(), "log")
	s.Set(core.Object{"purchase_log": path})
	s.applies(map[string]string{"a": "A", "b": "B"})
	removed := s.Value(groupAddress, `generations["b"].id`)
	s.applies(map[string]string{"a": "A"})
	line := booked(t, path, 1)[0]
	check.True(
		t,
		"the last line",
		line["type"] == "delete_generation" && line["outcome"] == "answered" && line["generation_id"] == removed,
		line,
	)
	group := s.Value(groupAddress, "id")
	s.Destroy().Must()
	line = booked(t, path, 1)[0]
	check.True(
		t,
		"the last line",
		line["type"] == "delete_group" && line["outcome"] == "answered" && line["group_id"] == group,
		line,
	)
	check.Equal(t, "lines", len(booked(t, path, 100)), 8)
}
