# Only those whose name contains a text, with everything that is known of them.
list "mediagen_character" "leads" {
  provider         = mediagen
  include_resource = true

  config {
    name_contains = "ada"
  }
}
