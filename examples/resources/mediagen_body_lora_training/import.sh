# character_id/job_id
terraform import mediagen_body_lora_training.lead char_ada/job_000001
