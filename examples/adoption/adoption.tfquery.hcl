# Adopts a whole organization: its characters, their face images and their body
# trainings. It costs no credits and changes nothing at the service.
#
#   terraform query -generate-config-out=adopted.tf
#   terraform apply
#
# The first command writes a resource and an import block for each; the apply
# then says "imported, 0 added, 0 changed". Plans ignore this file. Without a
# limit the CLI stops at 100.
list "mediagen_character" "all" {
  provider = mediagen
  limit    = 10000
}

list "mediagen_face_image" "all" {
  for_each = toset([for character in list.mediagen_character.all.data : character.identity.id])
  provider = mediagen
  limit    = 1000

  config {
    character_id = each.value
  }
}

list "mediagen_body_lora_training" "all" {
  for_each = toset([for character in list.mediagen_character.all.data : character.identity.id])
  provider = mediagen
  limit    = 1000

  config {
    character_id = each.value
  }
}
