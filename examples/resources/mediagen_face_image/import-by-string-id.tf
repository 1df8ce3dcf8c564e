import {
  to = mediagen_face_image.ada["front.png"]
  id = "char_ada/asset_000001"
}
