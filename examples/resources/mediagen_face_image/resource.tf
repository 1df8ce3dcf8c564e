# One image for each file of a folder. A changed file is uploaded again; the
# asset it replaces stays at the service.
resource "mediagen_face_image" "ada" {
  for_each = fileset("${path.module}/faces", "*.png")

  character_id = "char_ada"
  source       = "${path.module}/faces/${each.value}"
}

output "captions" {
  value = { for name, image in mediagen_face_image.ada : name => image.caption }
}
