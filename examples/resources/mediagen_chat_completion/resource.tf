variable "scene" {
  description = "What the picture should show."
  type        = string
  default     = "A lighthouse keeper at dawn"
}

# Runs once, at create. A change of any input runs it again; refresh never does.
resource "mediagen_chat_completion" "prompt" {
  model       = "chat-1"
  temperature = 0.2
  max_tokens  = 200
  compliance  = true

  # Alpha: the model writes the prompt of an image.
  check_image_generation = true

  messages = [
    { role = "system", content = "You write prompts for a portrait photographer." },
    { role = "user", content = "A picture, please: ${var.scene}" },
  ]

  tools = [{
    name        = "weather"
    description = "Tells the weather at a place."
    parameters = jsonencode({
      type       = "object"
      properties = { place = { type = "string" } }
    })
  }]

  # Change the value to run it again with the same input.
  triggers = {
    round = "1"
  }

  lifecycle {
    postcondition {
      condition     = length(self.compliance_violations) == 0
      error_message = "The reply violates: ${join(", ", self.compliance_violations)}."
    }
  }
}

output "prompt" {
  description = "The prompt of the image, else the text of the reply."
  value       = try(coalesce(mediagen_chat_completion.prompt.choices[0].image_prompt, mediagen_chat_completion.prompt.content), null)
}
