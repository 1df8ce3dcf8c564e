data "mediagen_training_status" "lead" {
  character_id = "char_ada"
}

output "can_start_body_training" {
  description = "Whether a training of the body LoRA can start now."
  value       = data.mediagen_training_status.lead.can_start_body_training
}
