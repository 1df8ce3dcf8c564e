# The apply starts the training and shows its phase, percentage and remaining
# time. If the training fails, the apply fails without tainting it.
resource "mediagen_body_lora_training" "lead" {
  character_id        = "char_ada"
  wait_for_completion = false

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.mediagen_await_training.lead]
    }
  }
}

# Requires Terraform 1.14; from 1.16 on the action can also refer to the resource
# that triggers it as caller. OpenTofu has no actions: keep them in separate files.
action "mediagen_await_training" "lead" {
  config {
    character_id = mediagen_body_lora_training.lead.character_id
    job_id       = mediagen_body_lora_training.lead.id
    timeout      = "4h"
  }
}
