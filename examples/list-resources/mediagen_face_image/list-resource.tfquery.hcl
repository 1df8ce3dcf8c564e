list "mediagen_character" "all" {
  provider = mediagen
  limit    = 1000
}

# The face images of every character. The generated configuration has no source:
# an imported image needs none.
list "mediagen_face_image" "all" {
  for_each = toset([for character in list.mediagen_character.all.data : character.identity.id])
  provider = mediagen
  limit    = 100

  config {
    character_id = each.value
  }
}
