package generation_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"runtime"
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
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(content)) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines[max(0, len(lines)-count):]
}

// The answer's line says which key has which generation, as the state does,
// however the service numbers them, and whether that is certain.
func TestPurchaseLog_matchesResults(t *testing.T) {
	t.Parallel()
	for name, certain := range map[string]bool{"plain": true, "index-from-1": true, "index-missing": false, "one-id": false, "equal-shared": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := mockserver.Variants()
			maps.Copy(known, mockserver.LossyVariants())
			variant, found := known[name]
			if !found {
				t.Fatalf("no variant %q", name)
			}
			s := newScenario(t, func(o *mockserver.Options) { o.Variant = variant })
			path := filepath.Join(t.TempDir(), "log")
			s.set(core.Object{"purchase_log": path})
			s.group(map[string]string{"a": "A", "b": "B", "c": "C"})
			s.Apply().Must()
			answer := booked(t, path, 2)[0]
			if answer["outcome"] != "answered" || answer["type"] != "batch" || answer["title"] != "Portraits" || answer["character_id"] != "ch_1" {
				t.Errorf("the line is %v", answer)
			}
			if answer["certain"] != certain {
				t.Errorf("certain is %v, want %t", answer["certain"], certain)
			}
			if name == "one-id" {
				return // nobody knows whose it is
			}
			ids := map[string]any{}
			for _, key := range []string{"a", "b", "c"} {
				ids[key] = s.Value(groupAddress, `generations["`+key+`"].id`)
			}
			if diff := cmp.Diff(ids, answer["generations"]); certain && diff != "" {
				t.Errorf("(-state +log):\n%s", diff)
			}
			if answer["group_id"] != s.Value(groupAddress, "id") {
				t.Errorf("the group is %v, want %v", answer["group_id"], s.Value(groupAddress, "id"))
			}
		})
	}
}

// A log that cannot be written is a warning at plan, and an error at apply
// before anything is bought.
func TestPurchaseLog_unwritable(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	path := filepath.Join(t.TempDir(), "missing", "log")
	s.set(core.Object{"purchase_log": path})
	s.group(map[string]string{"a": "A"})
	plan := s.Plan().Must()
	if found := plan.Warnings().Find("Purchase Log Cannot Be Written"); len(found) != 1 || !strings.Contains(found[0].Detail, path) {
		t.Errorf("the plan says:\n%s", plan.Diagnostics)
	}
	found := s.ApplyPlan(plan).Diagnostics.Errors()
	if len(found) != 1 || !strings.Contains(found[0].Detail, path) || !strings.Contains(found[0].Detail, check.Refusal(t, path)) ||
		!strings.Contains(found[0].Detail, "Nothing was bought") || !strings.Contains(found[0].Detail, "MEDIAGEN_PURCHASE_LOG") {
		t.Errorf("the apply says:\n%s", found)
	}
	s.WantCount(t, mockserver.RouteBatch, 0)
	s.set(nil)
	s.Apply().Must()
	s.Plan().Must().WantEmpty()
}

// An answer that cannot be logged is in a warning, and the purchase in the
// state.
func TestPurchaseLog_lostMeanwhile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that is open, as one beside the log is during a purchase")
	}
	s := newScenario(t)
	directory := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	s.set(core.Object{"purchase_log": filepath.Join(directory, "log")})
	s.group(map[string]string{"a": "A"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Reached: func() {
		if err := os.RemoveAll(directory); err != nil {
			t.Error(err)
		}
	}})
	result := s.Apply().Must()
	id, _ := s.Value(groupAddress, `generations["a"].id`).(string)
	found := result.Diagnostics.Warnings().Find("Purchase Log Is Incomplete")
	if len(found) != 1 || id == "" || !strings.Contains(found[0].Detail, `"generations":{"a":"`+id+`"}`) {
		t.Errorf("the apply says:\n%s", result.Diagnostics)
	}
	s.Plan().Must().WantEmpty()
}

// Deletions leave a line before and one after each.
func TestPurchaseLog_deletions(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	path := filepath.Join(t.TempDir(), "log")
	s.set(core.Object{"purchase_log": path})
	s.group(map[string]string{"a": "A", "b": "B"})
	s.Apply().Must()
	removed := s.Value(groupAddress, `generations["b"].id`)
	s.group(map[string]string{"a": "A"})
	s.Apply().Must()
	if line := booked(t, path, 1)[0]; line["type"] != "delete_generation" || line["outcome"] != "answered" || line["generation_id"] != removed {
		t.Errorf("the line is %v", line)
	}
	group := s.Value(groupAddress, "id")
	s.Destroy().Must()
	if line := booked(t, path, 1)[0]; line["type"] != "delete_group" || line["outcome"] != "answered" || line["group_id"] != group {
		t.Errorf("the line is %v", line)
	}
	if lines := booked(t, path, 100); len(lines) != 7 {
		t.Errorf("%d lines, want 7", len(lines))
	}
}
