import {
  to = mediagen_character.ada
  id = "char_0001"
}
