# Edits photos; no character is needed. The service fetches the address itself.
resource "mediagen_generation_group" "edits" {
  title = "Product photos"

  prompts = {
    for name in ["chair", "lamp"] : name => {
      prompt           = "The same product on a white background, soft shadow"
      source_image_url = "https://images.example.com/${name}.jpg"
    }
  }
}
