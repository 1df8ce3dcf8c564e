package inference_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Another checkout and another signature ask nothing again. Fault F35.
func TestAccSame_snapshots(t *testing.T) {
	tier.Long(t, "texts that differ in notation, through all outputs")
	b := newScenario(t)
	config := func(text, query string) string {
		return b.Config(`
resource "mediagen_chat_completion" "c" {
  messages = [{ role = "user", content = "%[1]s" }]
  triggers = { text = "%[1]s" }
}

resource "mediagen_image" "i" {
  prompt = "%[1]s"
}

resource "mediagen_media_categorization" "m" {
  media_url = "https://media.example.com/a.png?%[2]s"
  metadata  = ["tags"]
}
`, text, query)
	}
	empty := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
	b.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config(`a\nb`, "sig=a&se=1")},
		{Config: config(`a\r\nb\r\n`, "sig=b&se=2"), ConfigPlanChecks: empty},
		{Config: config(`a\n b`, "sig=b&se=2"), PostApplyFunc: b.Sent(t, mockserver.RouteChat, 2)},
	}})
	b.WantCount(t, mockserver.RouteImage, 2)
	b.WantCount(t, mockserver.RouteCategories, 1)
}
