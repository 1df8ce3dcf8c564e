# character_id/asset_id; image_type is taken from the configuration.
terraform import mediagen_body_image.front char_ada/asset_000022
