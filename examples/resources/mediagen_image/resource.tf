resource "mediagen_image" "castle" {
  prompt = "A castle above a foggy valley, watercolour"
}

output "castle" {
  value = mediagen_image.castle.output
}
