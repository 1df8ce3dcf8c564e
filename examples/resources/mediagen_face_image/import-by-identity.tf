import {
  to = mediagen_face_image.ada["front.png"]
  identity = {
    character_id = "char_ada"
    id           = "asset_000001"
  }
}
