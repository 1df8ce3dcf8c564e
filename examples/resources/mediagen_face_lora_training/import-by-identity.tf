import {
  to = mediagen_face_lora_training.grace
  identity = {
    character_id = "char_grace"
    id           = "job_000002"
  }
}
