# terraform apply -invoke=action.mediagen_cancel_training.stop
action "mediagen_cancel_training" "stop" {
  config {
    character_id = "char_ada"
    job_id       = "job_000001"
  }
}
