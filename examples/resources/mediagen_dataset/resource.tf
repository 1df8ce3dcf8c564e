# The images that the body LoRA is trained on, generated once: what that costs is
# not documented. The character needs a front and a back image of its body first.
resource "mediagen_dataset" "lead" {
  character_id = "char_ada"
  prompts = [
    "From the front, in daylight, neutral background",
    "From the back, in daylight, neutral background",
    "Half profile, sitting on a chair",
  ]

  # Change the value to generate a dataset again, which may cost credits again.
  triggers = { round = "1" }

  lifecycle {
    # A failed dataset is data, not an error: after an error the next apply would
    # generate it again. The postcondition stops the apply and everything that
    # depends on the dataset.
    postcondition {
      condition     = self.total_images >= self.min_required
      error_message = "The dataset of ${self.character_id} has too few images: status ${coalesce(self.status, "not given")}."
    }
  }
}
