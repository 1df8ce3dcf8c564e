variable "job_id" {
  description = "Training to cancel."
  type        = string
  default     = "job_000001"
}

# No resource triggers this action. To cancel a training:
#
#   terraform apply -invoke=action.mediagen_cancel_training.stop -var job_id=job_000001
action "mediagen_cancel_training" "stop" {
  config {
    character_id = "char_ada"
    job_id       = var.job_id
  }
}
