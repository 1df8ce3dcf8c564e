# Adopts a character and keeps its texts.
resource "mediagen_character" "ada" {
  id = "char_ada"
}

# Adopts a character and manages its texts.
resource "mediagen_character" "grace" {
  id          = "char_grace"
  name        = "Grace"
  description = "Host of the morning show"

  lifecycle {
    postcondition {
      condition     = self.face_images_count >= 1
      error_message = "${self.name} has no face image yet."
    }
  }
}

# Creates a character, where the deployment can. Destroy deletes it.
resource "mediagen_character" "max" {
  name        = "Max"
  description = "Reports from the harbour"
}
