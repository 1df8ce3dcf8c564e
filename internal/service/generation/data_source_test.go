package generation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const generationDataSource = "mediagen_generation"

// A data source for each key also reads the keys that have no generation, before
// every later plan, apply and destroy.
func TestGeneration_rejected(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.RejectPrompt("X", "not allowed")
	s.applies(map[string]string{"a": "A", "x": "X"})
	s.ResetJournal()
	empty := core.Object{
		"id": nil, "group_id": nil, "generation_type": nil, "status": nil, "progress": nil, "result_urls": none, "error": nil,
		"created_at": nil, "prompt": nil, "service": nil, "performance_metadata": nil,
	}
	for _, then := range []func(){func() { s.Plan().Must().WantEmpty() }, func() { s.Apply().Must() }, func() { s.Destroy().Must() }} {
		s.ResetJournal()
		rejected, messages := s.DataSource(generationDataSource, core.Object{"id": s.Value(groupAddress, `generations["x"].id`)})
		if diff := cmp.Diff(empty, rejected); diff != "" || len(messages) > 0 {
			t.Errorf("(-want +got):\n%s\n%s", diff, messages)
		}
		s.WantNoRequests(t)
		bought, messages := s.DataSource(generationDataSource, core.Object{"id": s.Value(groupAddress, `generations["a"].id`)})
		if diff := cmp.Diff(s.resultOf(first), bought["result_urls"]); diff != "" || len(messages) > 0 {
			t.Errorf("(-want +got):\n%s\n%s", diff, messages)
		}
		s.WantCount(t, mockserver.RouteStatus, 1)
		then()
	}
	s.wantNoMedia()
}
