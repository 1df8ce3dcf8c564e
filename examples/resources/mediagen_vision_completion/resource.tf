variable "photo" {
  description = "Address of the photo to look at."
  type        = string
  default     = "https://media.example.com/photos/ada.jpg"
}

# Runs once, at create. A change of any input runs it again; refresh never does.
resource "mediagen_vision_completion" "caption" {
  model       = "vision-1"
  temperature = 0.1

  messages = [{
    role = "user"
    content = [
      { text = "Describe this photo in one sentence." },
      { image_url = var.photo },
    ]
  }]
}

output "caption" {
  description = "What the model says."
  value       = mediagen_vision_completion.caption.content
}
