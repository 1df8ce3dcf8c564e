package generation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// newExtended is a scenario of a deployment that has more than the interface, and
// of a provider that knows it.
func newExtended(t *testing.T, change ...func(*mockserver.Options)) scenario {
	t.Helper()
	s := newScenario(t, append(change, func(o *mockserver.Options) { o.Extended = true })...)
	s.readsMore(true)
	return s
}

func (s scenario) readsMore(more bool) {
	s.T.Helper()
	s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "extended_reads": more})
}

func numbered(count int) map[string]string {
	prompts := map[string]string{}
	for i := range count {
		prompts[fmt.Sprintf("p%03d", i)] = fmt.Sprintf("Picture %d", i)
	}
	return prompts
}

// A refresh of 500 finished generations is 3 requests beyond the token. What runs
// is read by its status too; and nothing is sent that was not asked for.
func TestExtendedReads_refresh(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.applies(numbered(500))
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteGroup, 3)
	s.WantCount(t, mockserver.RouteStatus, 0)
	check.Equal(t, "requests", len(s.Journal()), 3+1)

	more := numbered(480)
	for i := range 20 {
		more[fmt.Sprintf("q%02d", i)] = fmt.Sprintf("Another %d", i)
	}
	s.applies(more, core.Object{"wait_for_completion": false})
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteGroup, 3)
	s.WantCount(t, mockserver.RouteStatus, 20)

	s.Clock.Advance(time.Hour)
	s.ResetJournal()
	s.Apply().Must()
	s.Want(groupAddress, core.Object{"succeeded_count": int64(500), "complete": true})
	s.WantCount(t, mockserver.RouteStatus, 0)

	s.readsMore(false)
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteGroup, 0)
	s.WantCount(t, mockserver.RouteStatus, 500)
}

// A list cannot say why a generation has failed, nor that one is gone: its status
// does.
func TestExtendedReads_whatAListCannotSay(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.FailPrompt("never", "no picture of that")
	s.applies(map[string]string{"a": "A", "b": "B", "c": "C", "never": "never"})
	s.Want(groupAddress, core.Object{`generations["never"].error`: "no picture of that"})
	s.ResetJournal()
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteGroup, 1)
	s.WantCount(t, mockserver.RouteStatus, 1)

	s.DeleteGenerationBehindTheBack(s.Value(groupAddress, `generations["a"].id`).(string))
	s.ResetJournal()
	plan := s.Plan().Must()
	if got := plan.UnknownIDs(groupAddress); len(got) != 1 {
		t.Errorf("want one to be bought again, got %v:\n%s", got, plan)
	}
	s.WantCount(t, mockserver.RouteGroup, 1)
	s.WantCount(t, mockserver.RouteStatus, 3) // the failed one, and the gone one twice
}
