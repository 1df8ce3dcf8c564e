# The id is the character's id and the training job's id, separated by a slash.
terraform import mediagen_face_lora_training.grace char_grace/job_000002
