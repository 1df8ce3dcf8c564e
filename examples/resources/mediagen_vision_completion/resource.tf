resource "mediagen_vision_completion" "caption" {
  model = "vision-1"

  messages = [{
    role = "user"
    content = [
      { text = "Describe this photo in one sentence." },
      { image_url = "https://media.example.com/photos/ada.jpg" },
    ]
  }]
}
