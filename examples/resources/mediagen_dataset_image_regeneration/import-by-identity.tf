import {
  to = mediagen_dataset_image_regeneration.second
  identity = {
    character_id = "char_000001"
    image_id     = "image_000002"
  }
}
