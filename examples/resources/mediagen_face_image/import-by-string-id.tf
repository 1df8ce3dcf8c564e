import {
  to = mediagen_face_image.ada["front.png"]
  id = "char_0001/asset_0001"
}
