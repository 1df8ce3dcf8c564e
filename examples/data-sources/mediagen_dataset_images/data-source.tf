data "mediagen_dataset_images" "approved" {
  character_id  = "char_ada"
  approved_only = true
}

output "approved" {
  value = length(data.mediagen_dataset_images.approved.images)
}
