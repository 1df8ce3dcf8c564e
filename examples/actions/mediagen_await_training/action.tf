resource "mediagen_body_lora_training" "lead" {
  character_id        = "char_ada"
  wait_for_completion = false # the action waits

  lifecycle {
    action_trigger {
      events  = [after_create]
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
