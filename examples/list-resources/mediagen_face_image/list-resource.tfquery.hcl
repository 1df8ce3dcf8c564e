list "mediagen_character" "all" {
  provider = mediagen
  limit    = 1000
}

list "mediagen_face_image" "all" {
  for_each = toset([for character in list.mediagen_character.all.data : character.identity.id])
  provider = mediagen
  limit    = 100

  config {
    character_id = each.value
  }
}
