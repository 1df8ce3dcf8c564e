data "mediagen_assets" "faces" {
  character_id = "char_ada"
  asset_type   = "face_image"
}

output "faces" {
  value = data.mediagen_assets.faces.assets[*].view_url
}
