data "mediagen_assets" "faces" {
  character_id = "char_ada"
  asset_type   = "face_image"
}

output "faces" {
  value = { for asset in data.mediagen_assets.faces.assets : asset.id => asset.view_url }
}
