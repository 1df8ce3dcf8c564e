# character_id/job_id
terraform import mediagen_face_lora_training.grace char_grace/job_000002
