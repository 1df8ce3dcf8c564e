import {
  to = mediagen_character.ada
  identity = {
    id = "char_000001"
  }
}
