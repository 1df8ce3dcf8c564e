package purchases_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// Private state remembers the requests that live. One that has ended, or that
// this log has never had, is forgotten.
func TestLog_living(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	log := newRun(t, "org", path)
	lives := batch("ch", "a")
	buys(t, log, "x", lives, nil)
	ended := batch("ch", "b")
	buys(t, log, "x", ended, refused)
	later := newRun(t, "org", path)
	asked := []string{lives.Request, ended.Request, "of another log"}
	check.Equal(t, "the living requests", later.Living(asked), []string{lives.Request})
}

// A state that has the job of a training has the purchase: another object does
// not buy the same unless its plan says so, and a state that gives the job up ends
// it.
func TestLog_heldJob(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	log := newRun(t, "org", path)
	bought := training("ch")
	bought.JobID = new("job_1")
	buys(t, log, "x", bought, nil)
	has := purchases.Holding{CharacterID: "ch", JobID: "job_1", Object: "x"}
	found := plans(t, path, training("ch"), has)
	check.Equal(t, "guarded of what a state has", len(found.Guarded), 0)
	check.Equal(t, "equal of what a state has", len(found.Equal), 1)
	newRun(t, "org", path).Forgotten(has)
	check.Equal(t, "guarded once given up", len(plans(t, path, training("ch")).Guarded), 0)
}

// A line that stands twice, as after a copy of the log, counts once, and an answer
// without its beginning counts nothing.
func TestMonth_countsALineOnce(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	log := newRun(t, "org", path)
	price := 3.0
	entry := training("ch")
	entry.Cost = &price
	buys(t, log, "x", entry, unknown)
	month := func() string {
		return newRun(t, "org", path).SpentThisMonth(time.Now()).FloatString(1)
	}
	once := month()
	content, err := os.ReadFile(path)
	check.Must(t, err)
	begin, end, _ := strings.Cut(string(content), "\n")
	check.Must(t, os.WriteFile(path, []byte(begin+"\n"+begin+"\n"+end), 0o600))
	check.Equal(t, "the cost of a line that stands twice", month(), once)
	check.Must(t, os.WriteFile(path, []byte(end), 0o600))
	check.Equal(t, "the cost of an answer alone", month(), "0.0")
}

// A plan leaves open what it warns of: it returns the keys that the log guards.
func TestWarnOfGuarded_keys(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := stub.NewService(t, stub.Always(200, `{"group_id":"grp1","credits_deducted":2,"results":[`+
		`{"generation_id":"g1","prompt_index":0},{"generation_id":"g2","prompt_index":1}]}`))
	check.Must(t, check.ErrorOf(stub.Buy(t.Context(), s.Client(t, stub.Logged(path)), stub.OrderOf("a", "b"))))
	var diags diag.Diagnostics
	guarded := s.Client(t, stub.Logged(path)).Buys.WarnOfGuarded(
		t.Context(),
		resource.ModifyPlanRequest{},
		purchases.Wanted{
			Order: stub.OrderOf("a", "c").Entry,
			Describe: func([]purchases.Bought) purchases.GuardedOrder {
				return purchases.GuardedOrder{Summary: func(what string) string { return what }}
			},
		},
		&diags,
	)
	check.Equal(t, "the guarded keys", guarded, []string{"a"})
	check.Equal(t, "warnings", len(diags), 1)
}
