import {
  to = mediagen_body_lora_training.lead
  id = "char_ada/job_000001"
}
