# character_id/asset_id
terraform import 'mediagen_face_image.ada["front.png"]' char_0001/asset_0001
