package acctest_test

import (
	"maps"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// habits are real services' behaviours from which a provider may conclude too
// much. With the marked ones, not every purchase can be identified.
var habits = map[string]bool{
	"plain":                 false,
	"equal-shared":          false,
	"failed-retaken":        false,
	"groups-by-title":       false,
	"media-inline":          false,
	"ids-slash":             false,
	"ids-percent":           false,
	"denied":                false,
	"denied-text":           false,
	"flapping":              false,
	"background":            true,
	"background-no-ids":     true,
	"one-id":                true,
	"denied-uncounted":      true,
	"generation-id-dropped": true,
}

// Equal prompts, one that fails and a second group of the title: the plan ends
// up empty, and the destroy leaves nothing that it could know about but what
// somebody else has generated. Fault F14.
func TestHabits(t *testing.T) {
	tier.Long(t, "each habit of a deployment in the life of all types")
	t.Parallel()
	all := everyVariant()
	maps.Copy(all, mockserver.LossyVariants())
	for name := range habits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.Bubble(t, func(t *testing.T) { livesWith(t, all[name]) })
		})
	}
}

func livesWith(t *testing.T, variant mockserver.Variant) {
	t.Helper()
	const first, second = "mediagen_generation_group.g", "mediagen_generation_group.second"
	prompts := func(texts ...string) core.Object {
		named := core.Object{}
		for i := 0; i < len(texts); i += 2 {
			named[texts[i]] = core.Object{"prompt": texts[i+1]}
		}
		return named
	}
	w := acctest.NewForSubjects(t, func(o *mockserver.Options) { o.Variant = variant }).Scenario(t)
	w.Parallel(10)
	theirs := w.GenerateElsewhere("ada", "Theirs", "at dawn")
	w.Resource("mediagen_body_lora_training.t", core.Object{"character_id": "ada"})
	w.Resource(first, core.Object{
		"character_id": "ada",
		"title":        "Portraits",
		"max_attempts": 2,
		"prompts":      prompts("one", "at dawn", "same", "at dawn", "other", "at dusk", "fails", "fails"),
	})
	applies := func() {
		t.Helper()
		w.Apply().Must()
		time.Sleep(time.Hour) // of the bubble
	}
	applies()
	applies() // the second attempt of what fails
	w.Plan().Must().WantEmpty()
	// Both groups are read at the same time.
	w.Fault(mockserver.Fault{
		Route:        mockserver.RouteStatus,
		Delay:        time.Second,
		MayStayUnmet: true, // where replies name no generation
	})
	w.Resource(second, core.Object{"title": "Portraits", "prompts": prompts("one", "at noon")}, core.DependsOn(first))
	applies()
	w.Remove(second)
	applies()
	w.Plan().Must().WantEmpty() // the first group has lost nothing

	bought := len(w.Ledger().Entries)
	w.Destroy().Must()
	check.True(
		t,
		"the destroy leaves and buys nothing",
		len(w.Addresses()) == 0 && len(w.Ledger().Entries) == bought,
		w.Addresses(),
		w.Ledger().Entries[bought:],
	)
	others, _ := w.Group(theirs.ID)
	check.True(t, "somebody else's group stays", len(others.Generations) == 1, others)
	check.True(t, "nothing else is left", len(w.Groups()) == 1 || habits[variant.Name], w.Groups())
}
