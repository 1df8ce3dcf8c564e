resource "mediagen_body_lora_training" "lead" {
  character_id        = "char_ada"
  wait_for_completion = false # the action waits
}

# Created after the training. If that fails, the next apply waits again.
resource "terraform_data" "trained" {
  input = mediagen_body_lora_training.lead.id

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_await_training.lead]
    }
  }
}

action "mediagen_await_training" "lead" {
  config {
    character_id = mediagen_body_lora_training.lead.character_id
    job_id       = mediagen_body_lora_training.lead.id
  }
}
