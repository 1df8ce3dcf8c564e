data "mediagen_characters" "all" {}

output "trained" {
  value = [for c in data.mediagen_characters.all.characters : c.name if c.body_lora_status != null]
}
