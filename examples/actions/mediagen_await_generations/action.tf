# The apply submits the prompts, and then shows how many of them have ended
# until the last one has.
resource "mediagen_generation_group" "portraits" {
  title               = "Portraits"
  wait_for_completion = false

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

# Terraform 1.14 or later; from 1.16 on the resource that triggers the action can
# also be called caller. OpenTofu has no actions: keep them in files of their own.
action "mediagen_await_generations" "portraits" {
  config {
    generation_ids = [for generation in mediagen_generation_group.portraits.generations : generation.id]
    timeout        = "30m"
  }
}
