# The apply submits the prompts and shows how many have ended, until all have.
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

# Requires Terraform 1.14; from 1.16 on the action can also refer to the resource
# that triggers it as caller. OpenTofu has no actions: keep them in separate files.
action "mediagen_await_generations" "portraits" {
  config {
    generation_ids = [for generation in mediagen_generation_group.portraits.generations : generation.id]
    timeout        = "30m"
  }
}
