import {
  to = mediagen_dataset_image_regeneration.second
  id = "char_000001/image_000002"
}
