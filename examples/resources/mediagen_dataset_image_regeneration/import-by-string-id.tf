import {
  to = mediagen_dataset_image_regeneration.second
  id = "char_ada/image_000002"
}
