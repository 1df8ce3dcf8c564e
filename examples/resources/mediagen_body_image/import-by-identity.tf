import {
  to = mediagen_body_image.front
  identity = {
    character_id = "char_ada"
    id           = "asset_000022"
  }
}
