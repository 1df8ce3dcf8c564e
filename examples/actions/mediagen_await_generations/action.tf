resource "mediagen_generation_group" "portraits" {
  title               = "Portraits"
  wait_for_completion = false # the action waits

  prompts = {
    morning = { prompt = "Portrait in soft morning light" }
    stage   = { prompt = "On a stage in red light" }
  }
}

locals {
  ids = [for generation in mediagen_generation_group.portraits.generations : generation.id]
}

# Created or updated after the wait. If that fails, the next apply waits again.
resource "terraform_data" "awaited" {
  input = local.ids

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_await_generations.portraits]
    }
  }
}

# OpenTofu has no actions: keep them in a file of their own.
action "mediagen_await_generations" "portraits" {
  config {
    generation_ids = local.ids
    timeout        = "30m"
  }
}
