# A dataset needs a body_image_back too. Deployments document this upload, and one
# may lack it.
resource "mediagen_body_image" "front" {
  character_id = "char_ada"
  image_type   = "body_image_front"
  source       = "${path.module}/front.png"
}
