import {
  to = mediagen_body_lora_training.lead
  id = "char_000001/job_000001"
}
