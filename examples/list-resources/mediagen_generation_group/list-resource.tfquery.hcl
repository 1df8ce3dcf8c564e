# The groups of a character. The provider needs extended_reads = true, and a
# deployment that shows groups. Importing them buys nothing.
list "mediagen_generation_group" "ada" {
  provider = mediagen
  limit    = 1000

  config {
    character_id = "char_ada"
  }
}
