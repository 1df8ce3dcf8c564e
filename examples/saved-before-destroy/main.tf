# Requires Terraform 1.16.
terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

provider "mediagen" {}

variable "series" {
  description = "Prompts of each group, by title and key."
  type        = map(map(string))
  default = {
    Portraits = {
      morning = "Portrait in soft morning light"
      stage   = "On a stage in red light"
    }
    Landscapes = {
      coast = "A rocky coast at dusk"
    }
  }
}

resource "mediagen_generation_group" "all" {
  for_each = var.series

  title   = each.key
  prompts = { for key, text in each.value : key => { prompt = text } }

  lifecycle {
    action_trigger {
      events  = [before_destroy]
      actions = [action.mediagen_download_generations.save]
    }
  }
}

# A directory for each group, since groups may have the same keys.
action "mediagen_download_generations" "save" {
  config {
    generation_ids = { for key, generation in caller.generations : key => generation.id }
    directory      = "${path.module}/saved/${caller.id}"
    title          = caller.title
  }
}
