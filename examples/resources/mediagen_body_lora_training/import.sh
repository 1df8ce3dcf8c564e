# The id is the character's id and the training job's id, separated by a slash.
terraform import mediagen_body_lora_training.lead char_ada/job_000001
