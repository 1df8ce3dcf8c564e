import {
  to = mediagen_face_lora_training.grace
  id = "char_grace/job_000002"
}
