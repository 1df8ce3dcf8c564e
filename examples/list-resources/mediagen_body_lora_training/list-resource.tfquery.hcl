list "mediagen_character" "all" {
  provider = mediagen
  limit    = 1000
}

# The body trainings of every character. Importing one buys nothing.
list "mediagen_body_lora_training" "all" {
  for_each = toset([for character in list.mediagen_character.all.data : character.identity.id])
  provider = mediagen
  limit    = 100

  config {
    character_id = each.value
  }
}
