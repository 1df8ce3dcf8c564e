output "dataset" {
  description = "The dataset's images, with their prompts: what to look at before the second apply."
  value       = { for image in data.mediagen_dataset_images.mira.images : image.image_id => image.prompt }
}

output "cost" {
  description = "Credits that all of it was planned to cost so far: at most. null without prices."
  value = try(sum(concat(
    [mediagen_face_lora_training.mira.cost, mediagen_dataset.mira.cost],
    mediagen_body_lora_training.mira[*].cost,
    mediagen_generation_group.mira[*].cost,
  )), null)
}

output "pictures" {
  description = "Result addresses by key, once there are any."
  value       = one(mediagen_generation_group.mira[*].result_urls)
}
