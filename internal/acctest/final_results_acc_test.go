package acctest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A group's list that shows thumbnails at another host replaces no results whose
// status word nobody knows: full progress has made them final. Two commands that
// refresh cost one request each. Fault F30.
func TestAccGroup_listOfThumbnails(t *testing.T) {
	tier.Long(t, "what a list shows beside an unknown word, on every CLI")
	t.Parallel()
	s := newReachable(t)
	s.Fault(mockserver.Fault{
		Route:   mockserver.RouteStatus,
		Times:   1_000,
		Rewrite: func(reply map[string]any) { reply["status"] = "Rendered" },
	})
	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 1_000, Rewrite: func(reply map[string]any) {
		for _, listed := range reply["generations"].([]any) {
			generation := listed.(map[string]any)
			generation["status"] = "Rendered"
			addresses := generation["result_urls"].([]any)
			for i, address := range addresses {
				addresses[i] = strings.Replace(address.(string), "://", "://thumbnails.", 1)
			}
		}
	}})
	m := newTerminal(t, s, t.TempDir())
	m.setenv("MEDIAGEN_EXTENDED_READS", "true")
	m.write("main.tf", versions+`
resource "mediagen_generation_group" "g" {
  character_id = "ada"
  prompts      = { a = { prompt = "A" }, b = { prompt = "B" } }
}

output "results" {
  value = mediagen_generation_group.g.result_urls
}
`)
	m.run("apply", "-auto-approve")
	wantResults := func() {
		t.Helper()
		results := map[string][]string{}
		m.output("results", &results)
		check.Equal(t, "the results", results, map[string][]string{
			"a": {s.Host + "/media/results/gen_000001.png"},
			"b": {s.Host + "/media/results/gen_000002.png"},
		})
	}
	wantResults()
	for i, command := range [][]string{
		{"plan", "-detailed-exitcode"},
		{"refresh"},
		{"plan", "-detailed-exitcode"},
		{"apply", "-auto-approve"},
	} {
		s.ResetJournal()
		m.run(command...)
		wantResults()
		what := fmt.Sprintf("requests of command %d", i)
		check.Equal(t, what, s.Count(mockserver.RouteGroup), 1)
		check.Equal(t, what, s.Count(mockserver.RouteStatus), 0)
		check.Equal(t, what, s.Count(mockserver.RouteBatch), 0)
	}
}
