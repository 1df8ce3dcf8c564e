# Alpha: the service may change this endpoint without notice.
# Runs once, at create. A change of the prompt runs it again; refresh never does.
resource "mediagen_image" "castle" {
  prompt = "A castle above a foggy valley, watercolour"
}

output "castle" {
  description = "Addresses of the image; signed ones expire."
  value       = mediagen_image.castle.output
}
