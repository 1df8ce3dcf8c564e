import {
  to = mediagen_dataset_image_regeneration.second
  identity = {
    character_id = "char_ada"
    image_id     = "image_000002"
  }
}
