resource "mediagen_dataset" "lead" {
  character_id = "char_ada"
  prompts = [
    "From the front, in daylight",
    "From the back, in daylight",
  ]

  # A change generates a dataset again.
  triggers = { round = "1" }

  lifecycle {
    # Stops the apply, and generates nothing.
    postcondition {
      condition     = self.total_images >= self.min_required
      error_message = "Too few images: status ${coalesce(self.status, "not given")}."
    }
  }
}
