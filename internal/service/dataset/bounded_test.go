package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestAddressesOfImagesAreBounded(t *testing.T) {
	t.Parallel()
	service, id := newDataset(t)
	service.Fault(mockserver.Fault{Route: mockserver.RouteDataset, Rewrite: func(reply map[string]any) {
		for _, image := range reply["images"].([]any) {
			image.(map[string]any)["view_url"] = "data:image/png;base64," + strings.Repeat("A", 1<<20)
		}
	}})
	got, messages := service.Scenario(t).DataSource("mediagen_dataset_images", core.Object{"character_id": id})
	if len(messages.Warnings().Find("Address Too Long for the State")) != 1 {
		t.Errorf("want one warning:\n%s", messages)
	}
	if text := fmt.Sprint(got); len(text) > 10<<10 || strings.Count(text, "omitted:image/png;size=1048598;sha256=") != 5 {
		t.Errorf("the images are %.500s", text)
	}
}
