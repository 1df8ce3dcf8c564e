import {
  to = mediagen_character.ada
  id = "char_ada"
}
