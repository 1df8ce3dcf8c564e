# The apply starts the training, and then shows its phase, percent and time left
# until it has ended. A training that fails, fails the apply; it is not tainted.
resource "mediagen_body_lora_training" "lead" {
  character_id        = "char_000001"
  wait_for_completion = false

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.mediagen_await_training.lead]
    }
  }
}

# Terraform 1.14 or later; from 1.16 on the resource that triggers the action can
# also be called caller. OpenTofu has no actions: keep them in files of their own.
action "mediagen_await_training" "lead" {
  config {
    character_id = mediagen_body_lora_training.lead.character_id
    job_id       = mediagen_body_lora_training.lead.id
    timeout      = "4h"
  }
}
