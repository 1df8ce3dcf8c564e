# Each prompt costs credits, once. From CSV or YAML files: examples/prompts-from-files
# in the repository.
resource "mediagen_generation_group" "portraits" {
  character_id = "char_ada"
  title        = "Portraits"

  prompts = {
    for name, text in {
      morning = "Portrait in soft morning light"
      stage   = "On a stage in red light"
      } : name => {
      prompt        = text
      face_swap     = true
      use_face_lora = false
      use_body_lora = false
    }
  }

  lifecycle {
    # A failed prompt is a warning, not an error. These stop the run.
    postcondition {
      condition     = self.failed_count + self.unconfirmed_count == 0
      error_message = "No results for ${join(", ", [for name, g in self.generations : name if g.error != null])}. Raise max_attempts to submit failed ones again, or change the take of one."
    }
    postcondition {
      condition     = self.pending_count == 0
      error_message = "${self.pending_count} generations have not ended. Apply again to resume the wait; that buys nothing."
    }
  }
}

output "portraits" {
  value = mediagen_generation_group.portraits.result_urls
}
