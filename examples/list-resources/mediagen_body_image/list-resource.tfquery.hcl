# The body images of a character. The generated configuration lacks image_type,
# which no list tells: set it to what each image shows.
list "mediagen_body_image" "ada" {
  provider = mediagen
  limit    = 100

  config {
    character_id = "char_ada"
  }
}
