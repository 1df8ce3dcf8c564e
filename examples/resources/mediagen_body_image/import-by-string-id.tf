import {
  to = mediagen_body_image.front
  id = "char_ada/asset_000022"
}
