data "mediagen_training_status" "lead" {
  character_id = "char_ada"
}

output "can_train" {
  value = data.mediagen_training_status.lead.can_start_body_training
}
