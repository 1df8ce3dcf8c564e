import {
  to = mediagen_face_image.ada["front.png"]
  identity = {
    character_id = "char_0001"
    id           = "asset_0001"
  }
}
