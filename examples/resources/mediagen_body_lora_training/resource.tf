resource "mediagen_body_lora_training" "lead" {
  character_id = "char_ada"

  # A change trains again.
  triggers = { round = "1" }

  # If Terraform uploads the images that it learns from:
  # depends_on = [mediagen_face_image.lead]

  lifecycle {
    # Stops the apply, and what depends on the training, if it failed.
    postcondition {
      condition     = self.succeeded != false
      error_message = "Not trained: status ${coalesce(self.status, "not given")}."
    }
  }
}
