data "mediagen_dataset_images" "ada" {
  character_id = "char_000001"
}

# An image that nobody has approved is generated anew, from a better prompt. It
# has to be approved again before a training uses it.
resource "mediagen_dataset_image_regeneration" "second" {
  character_id = "char_000001"
  image_id     = data.mediagen_dataset_images.ada.images[1].image_id
  prompt       = "Half profile in daylight, neutral background"

  # A change generates the image once more.
  triggers = { round = "1" }
}
