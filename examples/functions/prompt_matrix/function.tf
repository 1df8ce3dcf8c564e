# A function is called through the provider's local name in this module.
terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

locals {
  # Four prompts, with the keys on-a-stage-red-light, on-a-stage-daylight,
  # in-the-forest-red-light and in-the-forest-daylight.
  prompts = provider::mediagen::prompt_matrix("Portrait {place}, {light}, 85mm", {
    place = ["on a stage", "in the forest"]
    light = ["red light", "daylight"]
  })
}

# Adding a value to an axis buys only the prompts with that value.
resource "mediagen_generation_group" "portraits" {
  title   = "Portraits"
  prompts = { for key, text in local.prompts : key => { prompt = text } }

  lifecycle {
    postcondition {
      condition     = self.failed_count + self.unknown_count == 0
      error_message = "Not every portrait was generated."
    }
  }
}

output "results" {
  value = mediagen_generation_group.portraits.result_urls
}
