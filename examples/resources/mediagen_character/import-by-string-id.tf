import {
  to = mediagen_character.ada
  id = "char_000001"
}
