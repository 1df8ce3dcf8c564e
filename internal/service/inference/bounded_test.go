package inference_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestImageIsBounded(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Fault(mockserver.Fault{Route: mockserver.RouteImage, Rewrite: func(reply map[string]any) {
		reply["output"] = []any{"data:image/png;base64," + strings.Repeat("A", 5<<20)}
	}})
	b.Resource(image, least(image))
	result := b.Apply().Must()
	check.True(t, "one warning", len(result.Diagnostics.Warnings().Find("Address Too Long for the State")) == 1, result.Diagnostics)
	output, _ := b.Value(image, "output").([]any)
	check.True(t, "output", len(output) == 1 && strings.HasPrefix(output[0].(string), "omitted:image/png;size=5242902;sha256="), output)
	b.Plan().Must().WantEmpty()
}
