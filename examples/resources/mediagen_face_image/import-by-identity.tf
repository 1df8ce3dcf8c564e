import {
  to = mediagen_face_image.ada["front.png"]
  identity = {
    character_id = "char_000001"
    id           = "asset_000001"
  }
}
