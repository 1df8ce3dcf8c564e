package acctest_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const tooLong = "Address Too Long for the State"

func inflate(value any) any {
	switch of := value.(type) {
	case map[string]any:
		for name, part := range of {
			of[name] = inflate(part)
		}
	case []any:
		for i, part := range of {
			of[i] = inflate(part)
		}
	case string:
		if strings.Contains(of, "/media/") {
			return "data:image/png;base64," + strings.Repeat("A", 1<<20)
		}
	}
	return value
}

var hasMedia = map[string]bool{
	"mediagen_face_image.x": true, "mediagen_body_image.x": true, "mediagen_generation_group.x": true, "mediagen_image.x": true,
	"mediagen_assets": true, "mediagen_dataset_images": true, "mediagen_generation": true, "mediagen_generation_capabilities": true,
}

// Whole files as addresses: no gRPC message can carry a state that contains them. That they are
// left out is said once. Fault F25.
func TestStatesStaySmall(t *testing.T) {
	t.Parallel()
	inflated := mockserver.Fault{Rewrite: func(reply map[string]any) { inflate(reply) }}
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for _, later := range []bool{false, true} {
			w := acctest.NewForSubjects(t).Scenario(t)
			w.Resource(address, of.With(nil))
			if later { // it is a refresh that shows them
				w.Resource(address, of.Config)
				w.Apply().Must()
				w.Clock.Advance(time.Hour)
			}
			w.Fault(inflated)
			said := w.Apply().Must().Diagnostics
			wantSmall(t, address, w.State(address), said.Find(tooLong), hasMedia[address] && (!later || of.Reads != nil))
			plan := w.Plan().Must()
			plan.WantEmpty()
			check.True(t, "it is said once", len(plan.Diagnostics.Find(tooLong)) == 0, plan.Diagnostics)
		}
	})
	w := acctest.NewForSubjects(t).Scenario(t)
	w.AddBodyLoRA("ada")
	made := w.GenerateElsewhere("ada", "Theirs", "dawn").Generations[0].ID
	w.Clock.Advance(time.Hour)
	w.Fault(inflated)
	for name, config := range map[string]core.Object{
		"mediagen_assets": {"character_id": "ada"}, "mediagen_dataset_images": {"character_id": "ada"},
		"mediagen_generation": {"id": made}, "mediagen_generation_capabilities": {"character_id": "ada"},
	} {
		state, said := w.DataSource(name, config)
		wantSmall(t, name, state, said.Find(tooLong), hasMedia[name])
	}
}

func wantSmall(t *testing.T, name string, state core.Object, said core.Diagnostics, lacks bool) {
	t.Helper()
	text, err := json.Marshal(state)
	if err != nil || len(text) > 20<<10 {
		t.Fatalf("%s: the state has %d bytes (%v)", name, len(text), err)
	}
	omitted := strings.Contains(string(text), `"omitted:image/png;size=1048598;sha256=`)
	check.True(t, name, omitted == lacks && (len(said) == 1) == lacks, omitted, lacks, said)
}
