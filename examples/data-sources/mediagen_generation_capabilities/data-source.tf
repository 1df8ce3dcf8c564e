data "mediagen_generation_capabilities" "ada" {
  character_id = "char_ada"
}

check "ready" {
  assert {
    condition     = data.mediagen_generation_capabilities.ada.body_lora.available == true
    error_message = "The body LoRA is not trained yet."
  }
}
