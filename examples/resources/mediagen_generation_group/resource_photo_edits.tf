# Edits a photo, which the service fetches; no character is needed.
resource "mediagen_generation_group" "edits" {
  title = "Product photos"

  prompts = {
    chair = {
      prompt           = "The same product on a white background, soft shadow"
      source_image_url = "https://images.example.com/chair.jpg"
    }
  }
}
