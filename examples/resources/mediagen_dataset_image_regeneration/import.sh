# The id is character_id/image_id.
terraform import mediagen_dataset_image_regeneration.second char_ada/image_000002
