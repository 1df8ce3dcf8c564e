package acctest_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A mistyped character is an error of the plan, whatever is bought for it: one tells all, with what
// is close, the others in a line. The list is read for it once, and nothing where the id is right.
func TestMistypedCharacter(t *testing.T) {
	t.Parallel()
	for id, lists := range map[string]int{"ada_lovelac": 2, "ada_lovelace": 1} {
		w := acctest.NewScenario(t, func(o *mockserver.Options) { o.Extended = true })
		w.AddReady("ada_lovelace")
		for _, address := range []string{"mediagen_body_lora_training.b", "mediagen_face_lora_training.f", "mediagen_dataset.d"} {
			w.Resource(address, core.Object{"character_id": id})
		}
		for _, address := range []string{"mediagen_generation_group.g", "mediagen_generation_group.h"} {
			w.Resource(address, core.Object{"character_id": id, "prompts": core.Object{"a": core.Object{"prompt": address + acctest.Hush}}})
		}
		refused := w.Plan().Diagnostics.Errors().At("character_id")
		// The first asks whether the address is right, unless something was found before.
		check.True(t, "lists", w.Count(mockserver.RouteCharacters) == lists || id == "ada_lovelace" && w.Count(mockserver.RouteCharacters) == 0, w.Story())
		if id == "ada_lovelace" {
			check.True(t, "nothing is wrong", len(refused) == 0, refused)
			w.WantCount(t, mockserver.RouteCapabilities, 1)
			continue
		}
		w.WantCount(t, mockserver.RouteCapabilities, 3) // one by the dataset's own read
		full := strings.Count(refused.String(), `A similar character is "ada_lovelace".`)
		short := strings.Count(refused.String(), `There is no character "ada_lovelac" for this credential: the same failure as another object's.`)
		check.True(t, "five errors, one in full", len(refused) == 5 && full == 1 && short == 4, full, short, refused)
	}
}
