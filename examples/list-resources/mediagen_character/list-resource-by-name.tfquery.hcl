# Only characters whose name contains a text, with all their attributes.
list "mediagen_character" "leads" {
  provider         = mediagen
  include_resource = true

  config {
    name_contains = "ada"
  }
}
