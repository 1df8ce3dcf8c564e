# Adopts a whole organization without a query, which OpenTofu does not have:
# what the data sources find is imported. It costs no credits, and nothing is
# changed at the service.
terraform {
  required_version = ">= 1.7"

  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

# Address and credential come from MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY.
provider "mediagen" {}

data "mediagen_characters" "all" {}

data "mediagen_assets" "faces" {
  for_each = local.characters

  character_id = each.key
  asset_type   = "face_image"
}

data "mediagen_training_status" "all" {
  for_each = local.characters

  character_id = each.key
}

locals {
  characters = { for c in data.mediagen_characters.all.characters : c.id => c }

  faces = merge([
    for character, found in data.mediagen_assets.faces : {
      for asset in found.assets : "${character}/${asset.id}" => { character = character, filename = asset.filename }
    }
  ]...)

  trainings = merge([
    for character, found in data.mediagen_training_status.all : {
      for job in concat(found.character_training[*], found.character_training_history) : "${character}/${job.job_id}" => character...
    }
  ]...)
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

import {
  for_each = local.faces
  to       = mediagen_face_image.this[each.key]
  id       = each.key
}

# An imported image needs no source.
resource "mediagen_face_image" "this" {
  for_each = local.faces

  character_id = each.value.character
  filename     = each.value.filename
}

import {
  for_each = local.trainings
  to       = mediagen_body_lora_training.this[each.key]
  id       = each.key
}

# What no import block names would be trained, and cost credits: once all is
# adopted, write down the keys instead of reading them.
resource "mediagen_body_lora_training" "this" {
  for_each = local.trainings

  character_id = each.value[0]
}
