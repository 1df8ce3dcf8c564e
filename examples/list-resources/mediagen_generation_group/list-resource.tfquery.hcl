# Importing what is found buys nothing.
list "mediagen_generation_group" "ada" {
  provider = mediagen
  limit    = 1000

  config {
    character_id = "char_ada"
  }
}
