data "mediagen_dataset_images" "ada" {
  character_id = "char_ada"
}

resource "mediagen_dataset_image_regeneration" "second" {
  character_id = "char_ada"
  image_id     = data.mediagen_dataset_images.ada.images[1].image_id
  prompt       = "Half profile in daylight, neutral background"

  # Change the value to regenerate the image again.
  triggers = { round = "1" }
}
