# Works with OpenTofu too, which has no actions: it reads the empty actions.tofu
# instead of actions.tf, and download.sh does the same.
terraform {
  required_version = ">= 1.5" # actions.tf needs Terraform 1.14

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
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

# Returns fresh addresses, unlike the attributes of the group.
data "mediagen_generation" "portraits" {
  for_each = local.prompts

  id = mediagen_generation_group.portraits.generations[each.key].id
}

output "results" {
  value = { for key, generation in data.mediagen_generation.portraits : key => generation.result_urls }
}

output "ids" {
  value = { for key, generation in data.mediagen_generation.portraits : key => generation.id }
}
