# Adopts the face images and body trainings of the characters.
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
  for_each = local.faces
  to       = mediagen_face_image.this[each.key]
  id       = each.key
}

# Imported images need no source.
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

# A training without an import block would be started and cost credits: once
# everything is adopted, list the keys here instead of reading them.
resource "mediagen_body_lora_training" "this" {
  for_each = local.trainings

  character_id = each.value[0]
}
