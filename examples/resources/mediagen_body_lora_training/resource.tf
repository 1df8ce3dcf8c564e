resource "mediagen_body_lora_training" "lead" {
  character_id = "char_ada"

  # A change trains again.
  triggers = { round = "1" }

  lifecycle {
    # Stops the apply, and buys nothing.
    postcondition {
      condition     = self.succeeded == true
      error_message = "Not trained: status ${coalesce(self.status, "not given")}."
    }
  }
}
