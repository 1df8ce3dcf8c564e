variable "more_scenes" {
  description = "More prompts by name. Adding one buys that one alone."
  type        = map(string)
  default     = {}
}

# Costs credits for each prompt, once. Destroy deletes the media.
resource "mediagen_generation_group" "portraits" {
  character_id = "char_ada"
  title        = "Portraits"

  prompts = {
    for name, text in merge({
      morning = "Portrait in soft morning light"
      stage   = "On a stage in red light"
      }, var.more_scenes) : name => {
      prompt        = text
      face_swap     = true
      use_face_lora = false
      use_body_lora = false
    }
  }

  lifecycle {
    # A prompt without results is data, not an error: an error would taint the
    # group, and the next apply would delete all of it and buy it again. The
    # postcondition stops the run and everything that depends on the group.
    postcondition {
      condition     = self.failed_count + self.unknown_count == 0
      error_message = "No results for ${join(", ", [for name, g in self.generations : name if g.error != null])}. Raise max_attempts to submit them again."
    }
    postcondition {
      condition     = self.pending_count == 0
      error_message = "${self.pending_count} generations have not ended. Apply again to resume the wait; that buys nothing."
    }
  }
}

output "portraits" {
  description = "Result addresses by name."
  value       = mediagen_generation_group.portraits.result_urls
}
