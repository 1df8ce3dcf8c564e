# One image for each file of a folder.
resource "mediagen_face_image" "ada" {
  for_each = fileset("${path.module}/faces", "*.png")

  character_id = "char_ada"
  source       = "${path.module}/faces/${each.value}"
}
