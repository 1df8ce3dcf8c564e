data "mediagen_character" "ada" {
  name = "Ada"
}

output "ada" {
  value = data.mediagen_character.ada.id
}
