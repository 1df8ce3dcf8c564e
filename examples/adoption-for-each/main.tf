# Adopts all characters. It costs no credits and changes nothing at the service.
terraform {
  required_version = ">= 1.7"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

data "mediagen_characters" "all" {}

locals {
  characters = { for c in data.mediagen_characters.all.characters : c.id => c }
}

import {
  for_each = local.characters
  to       = mediagen_character.this[each.key]
  id       = each.key
}

resource "mediagen_character" "this" {
  for_each = local.characters

  id = each.key
}
