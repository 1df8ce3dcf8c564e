# One slice of a large organization, which slice.tf chooses: each file of
# organization/ has a state and a run of its own.
terraform {
  required_version = ">= 1.5"

  # Several people need one that they share and that locks, such as s3. Without
  # this block -backend-config does nothing, and all slices have the same state.
  backend "local" {}

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY provide address and credential.
provider "mediagen" {}

locals {
  # What nothing reads is no error: a mistyped key would be lost without a word.
  unknown_keys = {
    for id, character in local.characters : id => setsubtract(keys(character), ["name", "prompts"])
  }
}

resource "mediagen_character" "this" {
  for_each = local.characters

  id   = each.key
  name = each.value.name

  lifecycle {
    precondition {
      condition     = length(local.unknown_keys[each.key]) == 0
      error_message = "${each.key} has unknown keys: ${join(", ", local.unknown_keys[each.key])}."
    }
  }
}

# Each prompt costs credits. Destroy deletes the media.
resource "mediagen_generation_group" "this" {
  for_each = { for id, character in local.characters : id => character if length(character.prompts) > 0 }

  character_id = mediagen_character.this[each.key].id
  title        = "${each.value.name}, gallery"
  prompts      = { for name, text in each.value.prompts : name => { prompt = text } }

  # Finished generations cost no request at each plan.
  refresh_finished = false

  lifecycle {
    postcondition {
      condition     = self.failed_count + self.unconfirmed_count == 0
      error_message = "Some prompts of ${each.key} have no results; raise max_attempts to submit failed ones again, or change the take of one."
    }
  }
}

output "results" {
  description = "Result addresses, by character and prompt."
  value       = { for id, group in mediagen_generation_group.this : id => group.result_urls }
}
