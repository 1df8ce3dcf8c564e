# What failed is submitted again by the next apply after this is raised; the
# plan shows it as a purchase. What succeeded is not bought again.
variable "attempts" {
  description = "How often a prompt may be submitted in all."
  type        = number
  default     = 1
}

resource "mediagen_generation_group" "landscapes" {
  title        = "Landscapes"
  max_attempts = var.attempts

  prompts = {
    coast = { prompt = "A rocky coast at dusk" }
    moor  = { prompt = "A moor in fog" }
  }
}

output "failed" {
  description = "Why prompts have no results, by name."
  value       = { for name, generation in mediagen_generation_group.landscapes.generations : name => generation.error if generation.error != null }
}
