# character_id/asset_id
terraform import 'mediagen_face_image.ada["front.png"]' char_ada/asset_000001
