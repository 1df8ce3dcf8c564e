import {
  to = mediagen_body_lora_training.lead
  identity = {
    character_id = "char_ada"
    id           = "job_000001"
  }
}
