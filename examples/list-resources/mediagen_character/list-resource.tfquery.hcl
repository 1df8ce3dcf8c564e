# terraform query -generate-config-out=characters.tf
# writes a resource and an import block for each.
list "mediagen_character" "all" {
  provider = mediagen
  limit    = 1000
}
