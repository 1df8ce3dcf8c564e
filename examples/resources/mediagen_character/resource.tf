# Adopts a character and keeps its texts.
resource "mediagen_character" "ada" {
  id = "char_ada"
}

# Adopts a character and sets its texts.
resource "mediagen_character" "grace" {
  id          = "char_grace"
  name        = "Grace"
  description = "Host of the morning show"
}

# Creates a character. Destroy deletes it.
resource "mediagen_character" "max" {
  name = "Max"
}
