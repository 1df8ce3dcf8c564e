import {
  to = mediagen_face_image.ada["front.png"]
  id = "char_000001/asset_000001"
}
