variable "photo" {
  description = "Address of the photo to categorize."
  type        = string
  default     = "https://media.example.com/photos/ada.jpg"
}

# Runs once, at create. A change of any input runs it again; refresh never does.
resource "mediagen_media_categorization" "photo" {
  media_url = var.photo
  metadata  = ["categories", "scene", "tags"]
}

output "tags" {
  description = "Tags of the photo."
  value       = mediagen_media_categorization.photo.tags
}
