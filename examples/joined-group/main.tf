# Joins the group that gen_000001 is in, and buys one more picture in it.
terraform {
  required_version = ">= 1.6" # a function within an import block

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

resource "mediagen_generation_group" "portraits" {
  character_id = "char_ada"

  prompts = {
    morning = { prompt = "Portrait in soft morning light" }
    evening = { prompt = "Portrait in warm evening light" }
  }
}
