resource "mediagen_media_categorization" "photo" {
  media_url = "https://media.example.com/photos/ada.jpg"
  metadata  = ["categories", "scene", "tags"]
}

output "tags" {
  value = mediagen_media_categorization.photo.tags
}
