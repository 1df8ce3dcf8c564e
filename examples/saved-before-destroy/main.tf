terraform {
  required_version = ">= 1.16" # actions before a destroy; OpenTofu has none

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

resource "mediagen_generation_group" "all" {
  for_each = {
    Portraits = {
      morning = "Portrait in soft morning light"
      stage   = "On a stage in red light"
    }
    Landscapes = {
      coast = "A rocky coast at dusk"
    }
  }

  prompts = { for key, text in each.value : key => { prompt = text } }

  lifecycle {
    action_trigger {
      events  = [before_destroy]
      actions = [action.mediagen_download_generations.save]
    }
  }
}

action "mediagen_download_generations" "save" {
  config {
    generation_ids = { for key, generation in caller.generations : key => generation.id }
    directory      = "${path.module}/saved/${caller.id}"
  }
}
