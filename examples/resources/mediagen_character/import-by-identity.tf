import {
  to = mediagen_character.ada
  identity = {
    id = "char_ada"
  }
}
