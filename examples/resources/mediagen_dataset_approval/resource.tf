data "mediagen_dataset_images" "ada" {
  character_id = "char_ada"
}

# All but those that a person found not good enough.
resource "mediagen_dataset_approval" "ada" {
  character_id = "char_ada"
  image_ids    = setsubtract(data.mediagen_dataset_images.ada.images[*].image_id, ["image_000002"])
  approve      = false # true is final
}
