package provider_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// What can be read is listed, with a warning that names the other lines.
// Fault F40.
func TestPurchases_partlyUnreadable(t *testing.T) {
	t.Parallel()
	const sending = `{"time":"T1","request":"r1","type":"batch","outcome":"sending","version":2,"by":{"run":"x"},` +
		`"prompts":{"a":"1"}}`
	const answered = `{"time":"T2","request":"r1","type":"batch","outcome":"answered","credits_deducted":1e300}`
	const later = `{"time":"T3","request":"r2","type":"batch","outcome":"sending","version":9,"by":{"run":"x"}}`
	log := filepath.Join(t.TempDir(), "log")
	check.Must(t, os.WriteFile(log, []byte("\ufeff"+sending+"\n"+answered+"\n"+later+"\nbought by hand\n"), 0o600))
	s := acctest.NewScenario(t)
	found, said := s.DataSource(purchasesType, core.Object{"path": log})
	want(t, found, core.Object{
		"purchases[0].keys":    []any{"a"},
		"purchases[0].outcome": "answered",
		"purchases[0].credits": nil,
		"purchases[1]":         nil,
		"totals[0].credits":    nil,
		"totals[0].requests":   int64(1),
	})
	s.WantWarning(
		said,
		"Purchase Log Cannot Be Read",
		"line 3 was written by a later version",
		"line 4 is no whole entry",
		"correct or delete",
	)
}

// A pipe is refused, and not waited for. Fault F40.
func TestPurchases_pipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := check.MakeFIFO(t, pipe); err != nil {
		return // this system has none
	}
	s := acctest.NewScenario(t)
	_, said := s.DataSource(purchasesType, core.Object{"path": pipe})
	s.WantError(said, "Purchase Log Cannot Be Read", "regular file")
}
