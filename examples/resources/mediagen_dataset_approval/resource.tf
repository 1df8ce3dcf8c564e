variable "final" {
  description = "Whether to approve the dataset as a whole. Nothing takes that back."
  type        = bool
  default     = false
}

data "mediagen_dataset_images" "ada" {
  character_id = "char_ada"
}

# A person looks at the images first, and names those that are not good enough.
resource "mediagen_dataset_approval" "ada" {
  character_id = "char_ada"
  image_ids    = setsubtract(data.mediagen_dataset_images.ada.images[*].image_id, ["image_000002"])
  approve      = var.final
}
