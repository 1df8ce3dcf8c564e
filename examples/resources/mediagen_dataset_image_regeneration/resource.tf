data "mediagen_dataset_images" "ada" {
  character_id = "char_ada"
}

# Regenerates an image that was not approved, from a better prompt. The image
# must be approved again before a training uses it.
resource "mediagen_dataset_image_regeneration" "second" {
  character_id = "char_ada"
  image_id     = data.mediagen_dataset_images.ada.images[1].image_id
  prompt       = "Half profile in daylight, neutral background"

  # Change the value to regenerate the image again.
  triggers = { round = "1" }
}
