import {
  to = mediagen_body_lora_training.lead
  identity = {
    character_id = "char_000001"
    id           = "job_000001"
  }
}
