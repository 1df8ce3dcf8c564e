# For every CLI: what uses actions stands in actions.tf. OpenTofu has none, and
# reads actions.tofu instead, which is empty; there download.sh does the same.
terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

provider "mediagen" {}

locals {
  prompts = {
    morning = "Portrait in soft morning light"
    stage   = "On a stage in red light"
  }
}

resource "mediagen_generation_group" "portraits" {
  title   = "Portraits"
  prompts = { for key, text in local.prompts : key => { prompt = text } }
}

# Always fresh, unlike the addresses in the state of the group.
data "mediagen_generation" "portraits" {
  for_each = local.prompts

  id = mediagen_generation_group.portraits.generations[each.key].id
}

output "results" {
  value = { for key, generation in data.mediagen_generation.portraits : key => generation.result_urls }
}
