package generation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A log with a line that cannot be read does not guard in silence: the plan
// warns once, the apply buys nothing, and both say how to mend it. Fault F40.
func TestPurchaseLog_unreadable(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	path := filepath.Join(t.TempDir(), "log")
	s.Set(core.Object{"purchase_log": path})
	s.applies(map[string]string{"a": "A"})
	whole, err := os.ReadFile(path)
	check.Must(t, err)
	check.Must(t, os.WriteFile(path, append(whole, "bought by hand\n"...), 0o600))
	s.Resource("mediagen_generation_group.other", core.Object{
		"character_id": "ch_1",
		"title":        "Others",
		"prompts":      texts(map[string]string{"x": "X"}),
	})
	s.ResetJournal()
	s.group(map[string]string{"a": "A", "b": "B"})
	plan := s.Plan()
	s.WantWarning(plan.Diagnostics, "Purchase Log Cannot Be Read", path, "line 4 ", "correct or delete", "buys nothing")
	found := s.ApplyPlan(plan).Diagnostics.Errors()
	check.Equal(t, "errors of the apply", len(found), 2)
	check.Contains(t, "an error", found.String(), path, "line 4 ", "correct or delete", "Nothing was bought")
	s.WantCount(t, mockserver.RouteBatch, 0)
	check.Must(t, os.WriteFile(path, whole, 0o600))
	s.Apply().Must()
	s.WantCount(t, mockserver.RouteBatch, 2)
	s.Plan().Must().WantEmpty()
}

// A time that somebody has written into the log forges no line of a message.
// Fault F40.
func TestPurchaseLog_forgedTime(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	path := filepath.Join(t.TempDir(), "log")
	s.Set(core.Object{"purchase_log": path})
	s.applies(map[string]string{"a": "A"})
	whole, err := os.ReadFile(path)
	check.Must(t, err)
	forged := strings.Replace(string(whole), `"time":"`, `"time":"now\n\nError: the service is down\u202e`, 1)
	check.Must(t, os.WriteFile(path, []byte(forged), 0o600))
	other := s.Service.Scenario(t)
	other.Set(core.Object{"purchase_log": path})
	other.Resource(groupAddress, core.Object{
		"character_id": "ch_1",
		"title":        "Portraits",
		"prompts":      texts(map[string]string{"a": "A"}),
	})
	said := other.Apply().Diagnostics.String()
	check.Contains(t, "the error", said, "now Error: the service is down<U+202E>")
}
