output "dataset" {
  description = "The dataset's images, with their prompts: what to look at before the second apply."
  value       = { for image in data.mediagen_dataset_images.mira.images : image.image_id => image.prompt }
}

output "pictures" {
  description = "Result addresses by key, once there are any."
  value       = one(mediagen_generation_group.mira[*].result_urls)
}
