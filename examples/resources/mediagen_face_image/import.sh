# character_id/asset_id
terraform import 'mediagen_face_image.ada["front.png"]' char_000001/asset_000001
