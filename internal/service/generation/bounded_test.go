package generation_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const tooLong = "Address Too Long for the State"

// answersFiles makes every status hold its result as a data URI of 5 MiB.
func (s scenario) answersFiles() {
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Rewrite: func(reply map[string]any) {
		if reply["status"] == "completed" {
			id, _ := reply["generation_id"].(string)
			reply["result_urls"] = []any{"data:image/png;base64," + strings.Repeat("A", 5<<20) + id, "https://cdn.example/" + id}
		}
	}})
}

func (s scenario) wantSmallState() {
	s.T.Helper()
	if state, err := json.Marshal(s.State(groupAddress)); err != nil || len(state) > 10<<10 {
		s.T.Errorf("the state has %d bytes (%v)", len(state), err)
	}
}

// Whole files as results: no gRPC message can carry a state that contains them.
// Fault F25.
func TestGroup_resultsAreBounded(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]bool{"waited for": true, "seen by a refresh": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.answersFiles()
			s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"wait_for_completion": wait})
			result := s.Apply().Must()
			if !wait {
				s.Clock.Advance(time.Hour)
				result = s.Refresh()
			}
			s.WantWarning(result.Diagnostics, tooLong, s.Groups()[0].ID, "omitted:image/png;size=52")
			s.wantSmallState()
			kept, _ := s.Value(groupAddress, `result_urls["a"]`).([]any)
			if len(kept) != 2 || !strings.HasPrefix(kept[0].(string), "omitted:image/png;size=52") || kept[1] != "https://cdn.example/gen_000001" {
				t.Errorf("kept: %v", kept)
			}
			plan := s.Plan().Must()
			plan.WantEmpty()
			if found := plan.Diagnostics.Find(tooLong); len(found) > 0 {
				t.Errorf("warned again:\n%s", found)
			}
			s.group(map[string]string{"a": "A", "b": "B2"})
			s.WantWarning(s.buys([]string{`generations["b"]`}, 1).Diagnostics, tooLong)
			s.Plan().Must().WantEmpty()
			s.Destroy().Must()
			s.wantNoMedia()
		})
	}
}

func TestGeneration_resultsAreBounded(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.answersFiles()
	s.group(map[string]string{"a": "A"})
	s.Apply().Must()
	read, said := s.DataSource("mediagen_generation", core.Object{"id": s.Value(groupAddress, `generations["a"].id`)})
	s.WantWarning(said, tooLong, "gen_000001")
	if addresses, _ := read["result_urls"].([]any); len(addresses) != 2 || !strings.HasPrefix(addresses[0].(string), "omitted:image/png") {
		t.Errorf("result_urls: %.300v", read["result_urls"])
	}
}
