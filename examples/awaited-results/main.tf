# Shows the progress of the generations, and outputs their results in the same
# apply.
terraform {
  required_version = ">= 1.14" # OpenTofu has no actions

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
  title               = "Portraits"
  wait_for_completion = false
  prompts             = { for key, text in local.prompts : key => { prompt = text } }
}

# Created or updated after the wait: data sources that use its output are read
# then. If the wait fails, the next apply repeats it.
resource "terraform_data" "awaited" {
  input = { for key, generation in mediagen_generation_group.portraits.generations : key => generation.id }

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_await_generations.portraits]
    }
  }
}

action "mediagen_await_generations" "portraits" {
  config {
    generation_ids = [for generation in mediagen_generation_group.portraits.generations : generation.id]
  }
}

# The attributes of the group are still as old as its create.
data "mediagen_generation" "portraits" {
  for_each = local.prompts

  id = terraform_data.awaited.output[each.key]
}

output "results" {
  value = { for key, generation in data.mediagen_generation.portraits : key => generation.result_urls }
}
