list "mediagen_face_lora_training" "grace" {
  provider = mediagen
  limit    = 100

  config {
    character_id = "char_grace"
  }
}
