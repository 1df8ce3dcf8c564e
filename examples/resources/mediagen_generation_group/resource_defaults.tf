# Prompts have no defaults of their own: the configuration merges them in. A
# change of a default changes, and buys, every prompt that uses it.
locals {
  defaults = {
    face_swap     = true
    use_face_lora = false
    use_body_lora = false
  }

  scenes = {
    kitchen = { prompt = "Cooking in a bright kitchen" }
    crowd   = { prompt = "A crowd at a market, seen from above", face_swap = false }
  }
}

resource "mediagen_generation_group" "scenes" {
  character_id = "char_ada"
  title        = "Scenes"
  prompts      = { for name, scene in local.scenes : name => merge(local.defaults, scene) }
}
