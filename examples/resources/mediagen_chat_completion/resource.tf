resource "mediagen_chat_completion" "prompt" {
  model       = "chat-1"
  temperature = 0.2
  compliance  = true

  messages = [
    { role = "system", content = "You write prompts for a portrait photographer." },
    { role = "user", content = "A lighthouse keeper at dawn" },
  ]

  tools = [{
    name        = "weather"
    description = "Tells the weather at a place."
    parameters = jsonencode({
      type       = "object"
      properties = { place = { type = "string" } }
    })
  }]

  # Change the value to ask again.
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
  value = mediagen_chat_completion.prompt.content
}
