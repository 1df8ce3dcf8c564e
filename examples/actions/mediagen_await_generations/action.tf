resource "mediagen_generation_group" "portraits" {
  title               = "Portraits"
  wait_for_completion = false # the action waits

  prompts = {
    morning = { prompt = "Portrait in soft morning light" }
    stage   = { prompt = "On a stage in red light" }
  }

  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.mediagen_await_generations.portraits]
    }
  }
}

# OpenTofu has no actions: keep them in a file of their own.
action "mediagen_await_generations" "portraits" {
  config {
    generation_ids = [for generation in mediagen_generation_group.portraits.generations : generation.id]
    timeout        = "30m"
  }
}
