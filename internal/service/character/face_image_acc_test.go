package character_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// png is the beginning of a PNG, which is all that a media type needs.
const png = "\x89PNG\r\n\x1a\n"

// write makes a file in a directory of the test's own and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	rewrite(t, path, content)
	return path
}

func rewrite(t *testing.T, path, content string) {
	t.Helper()
	check.Must(t, os.WriteFile(path, []byte(content), 0o600))
}

func sum(content string) string {
	hash := sha256.Sum256([]byte(content))
	return hex.EncodeToString(hash[:])
}

func imageConfig(service *acctest.Service, character, source string) string {
	return service.Config(`resource "mediagen_face_image" "front" {
  character_id = %q
  source       = %q
}`, character, source)
}

func TestAccFaceImage(t *testing.T) {
	service, id := newAda(t)
	first := png + "first"
	second := png + "second"
	front := write(t, "front.png", first)
	moved := write(t, "moved.png", first)
	service.Test(t, resource.TestCase{
		Steps: []resource.TestStep{
			{
				Config: imageConfig(service, id, front),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectKnownValue(
						image,
						tfjsonpath.New("content_sha256"),
						knownvalue.StringExact(sum(first)),
					),
					plancheck.ExpectUnknownValue(image, tfjsonpath.New("filename")),
				}},
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(image, tfjsonpath.New("filename"), knownvalue.StringExact("front.png")),
					statecheck.ExpectKnownValue(
						image,
						tfjsonpath.New("size"),
						knownvalue.Int64Exact(int64(len(first))),
					),
					statecheck.ExpectKnownValue(
						image,
						tfjsonpath.New("content_type"),
						knownvalue.StringExact("image/png"),
					),
					statecheck.ExpectKnownValue(image, tfjsonpath.New("caption"), knownvalue.NotNull()),
					statecheck.ExpectKnownValue(image, tfjsonpath.New("view_url"), knownvalue.NotNull()),
					statecheck.ExpectKnownValue(image, tfjsonpath.New("storage_url"), knownvalue.NotNull()),
				},
			},
			{
				// The same bytes elsewhere are the same image.
				Config: imageConfig(service, id, moved),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(image, plancheck.ResourceActionUpdate),
				}},
				PostApplyFunc: service.Sent(t, mockserver.RouteUpload, 1),
			},
			{
				// Other bytes in the same place are another image.
				PreConfig: func() { rewrite(t, moved, second) },
				Config:    imageConfig(service, id, moved),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
					plancheck.ExpectResourceAction(image, plancheck.ResourceActionDestroyBeforeCreate),
				}},
				// A plan does not need the file any more, nor does a destroy.
				Check: resource.ComposeTestCheckFunc(
					resource.TestCheckResourceAttr(image, "filename", "moved.png"),
					func(*terraform.State) error { return os.Remove(moved) },
				),
				PostApplyFunc: service.Sent(t, mockserver.RouteUpload, 2),
			},
			{
				ResourceName: image, ImportState: true, ImportStateVerify: true,
				ImportStateIdFunc: func(state *terraform.State) (string, error) {
					attributes := state.RootModule().Resources[image].Primary.Attributes
					return attributes["character_id"] + "/" + attributes["id"], nil
				},
				ImportStateVerifyIgnore: []string{"source", "content_sha256", "size", "content_type", "message"},
			},
		},
	})
	var stored []string
	for _, asset := range service.Assets(id)[2:] {
		stored = append(stored, asset.SHA256)
	}
	check.Equal(t, "stored", stored, []string{sum(first), sum(second)})
}
