resource "mediagen_body_image" "front" {
  character_id = "char_ada"
  image_type   = "body_image_front"
  source       = "${path.module}/front.png"
}
