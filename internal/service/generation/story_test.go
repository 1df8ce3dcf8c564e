package generation_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// What the random runs of internal/acctest/story found.

// A group that was deleted elsewhere, unnoticed because finished generations
// are not read: the next batch discovers it. After its 404 the next refresh
// reads all generations, or nothing could be added again.
func TestGroup_deletedElsewhereIsFoundOutByABatch(t *testing.T) {
	t.Parallel()
	unread := core.Object{"refresh_finished": false}
	s := applied(t, map[string]string{"a": "A"}, unread)
	s.DeleteGroupBehindTheBack(s.Value(groupAddress, "id").(string))
	s.Plan().Must().WantEmpty()
	s.group(map[string]string{"a": "A", "b": "B"}, unread)
	if result := s.Apply(); !result.Diagnostics.HasErrors() || s.charged() != 1 {
		t.Fatalf("want an error and nothing bought:\n%s", result.Diagnostics)
	}
	s.buys([]string{"id", `generations["a"]`, `generations["b"]`}, 2)
	s.Plan().Must().WantEmpty()
}

func TestGroup_deletedElsewhereWithUnknownPrompts(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	s.applies(map[string]string{"a": "A", "b": "B"})
	s.DeleteGroupBehindTheBack(s.Value(groupAddress, "id").(string))
	if result := s.Apply(); !result.Diagnostics.HasErrors() {
		t.Fatalf("want an error:\n%s", result.Diagnostics)
	}
	s.buys([]string{"id", `generations["a"]`}, 1)
	s.Plan().Must().WantEmpty()
}

// If the reply to the first batch did not name the group, a generation is read
// for its id before the next batch is sent.
func TestGroup_batchesJoinAGroupThatTheReplyDoesNotName(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, Rewrite: func(reply map[string]any) { delete(reply, "group_id") }})
	s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"max_prompts_per_batch": int64(1)})
	if groups := s.Groups(); len(groups) != 1 {
		t.Errorf("%d groups were made", len(groups))
	}
	s.Plan().Must().WantEmpty()
}

// If one status does not name it, the others do not either.
func TestGroup_aGroupThatNothingNamesIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	unnamed := func(reply map[string]any) { delete(reply, "group_id") }
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Times: 100, Rewrite: unnamed})
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 100, Rewrite: unnamed})
	s.applies(map[string]string{"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"}, core.Object{"max_prompts_per_batch": int64(1), "wait_for_completion": false})
	s.WantCount(t, mockserver.RouteStatus, 1)
	s.Plan().Must().WantEmpty()
}
