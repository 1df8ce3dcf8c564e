package character_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	tooLong = "Address Too Long for the State"
	kept    = "omitted:image/png;size=1048598;sha256="
)

// file is an address that is a whole file.
var file = "data:image/png;base64," + strings.Repeat("A", 1<<20)

func TestAddressesOfAnImageAreBounded(t *testing.T) {
	t.Parallel()
	service, w, character, _ := newImage(t)
	fill := func(asset any) {
		fields, _ := asset.(map[string]any)
		fields["view_url"], fields["storage_url"] = file, file
	}
	service.Fault(mockserver.Fault{Route: mockserver.RouteUpload, Rewrite: func(reply map[string]any) { fill(reply) }})
	service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(reply map[string]any) {
		for _, asset := range reply["assets"].([]any) {
			fill(asset)
		}
	}})
	// An existing image gets it by a refresh.
	w.WantMessage(w.Refresh().Diagnostics.Warnings(), "", tooLong)
	w.Resource("mediagen_face_image.side", core.Object{"character_id": character, "source": write(t, "side.png", png+"side")})
	w.WantMessage(w.Apply().Must().Diagnostics.Warnings(), "", tooLong)
	for _, address := range []string{image, "mediagen_face_image.side"} {
		for _, name := range []string{"view_url", "storage_url"} {
			if got, _ := w.Value(address, name).(string); !strings.HasPrefix(got, kept) {
				t.Errorf("%s.%s is %.100s", address, name, got)
			}
		}
	}
	plan := w.Plan().Must()
	plan.WantEmpty()
	if found := plan.Diagnostics.Find(tooLong); len(found) > 0 {
		t.Errorf("warned again: %s", found)
	}
	assets, messages := w.DataSource("mediagen_assets", core.Object{"character_id": character})
	w.WantMessage(messages.Warnings(), "", tooLong)
	if text := fmt.Sprint(assets); len(text) > 10<<10 || strings.Count(text, kept) != 3*len(assets["assets"].([]any)) {
		t.Errorf("the assets are %.500s", text)
	}
}

func TestAddressesOfLoRAsAreBounded(t *testing.T) {
	t.Parallel()
	service, id := newAda(t)
	service.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Rewrite: func(reply map[string]any) {
		reply["face_lora"].(map[string]any)["url"] = file
	}})
	w := service.Scenario(t)
	read, messages := w.DataSource("mediagen_generation_capabilities", core.Object{"character_id": id})
	w.WantMessage(messages.Warnings(), "", tooLong)
	if got := fmt.Sprint(read["face_lora"]); !strings.Contains(got, kept) || len(got) > 1<<10 {
		t.Errorf("face_lora is %.200s", got)
	}
}
