data "mediagen_generation_capabilities" "ada" {
  character_id = "char_ada"
}

output "trained" {
  value = data.mediagen_generation_capabilities.ada.body_lora.available
}
