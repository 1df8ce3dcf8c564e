list "mediagen_body_lora_training" "ada" {
  provider = mediagen
  limit    = 100

  config {
    character_id = "char_ada"
  }
}
