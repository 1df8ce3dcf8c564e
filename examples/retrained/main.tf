terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

resource "mediagen_face_image" "ada" {
  for_each = fileset("${path.module}/faces", "*.png")

  character_id = "char_ada"
  source       = "${path.module}/faces/${each.value}"
}

# Costs credits, and again when a file is added, removed or changed.
resource "mediagen_body_lora_training" "ada" {
  character_id = "char_ada"
  triggers     = { for file, image in mediagen_face_image.ada : file => image.content_sha256 }

  lifecycle {
    postcondition {
      condition     = self.succeeded != false
      error_message = "Not trained: status ${coalesce(self.status, "not given")}."
    }
  }
}
