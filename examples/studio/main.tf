# A cast of any size, from one list and one folder of faces for each character.
# Every character gets the same scenes in the same style, one wave after the other.
terraform {
  required_version = ">= 1.8" # functions of providers

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY provide address and credential.
provider "mediagen" {
  prices = { generation = 1 }
}

locals {
  production = yamldecode(file("${path.module}/production.yaml"))

  cast = {
    for name, member in yamldecode(file("${path.module}/cast.yaml")) : name => member
    if member.wave <= local.production.wave
  }

  faces = merge([
    for name in keys(local.cast) : {
      for file in fileset("${path.module}/faces/${name}", "*.png") : "${name}/${file}" => name
    }
  ]...)

  scenes = {
    portrait = "Portrait"
    street   = "Walking through a street after the rain"
  }

  # A change of the style buys every picture again.
  style = {
    suffix        = ", film still, soft light"
    use_body_lora = false
  }
}

resource "mediagen_character" "cast" {
  for_each = local.cast

  id   = each.value.id
  name = each.value.name
}

resource "mediagen_face_image" "cast" {
  for_each = local.faces

  character_id = mediagen_character.cast[each.value].id
  source       = "${path.module}/faces/${each.key}"
}

resource "mediagen_generation_group" "cast" {
  for_each = local.cast

  character_id = mediagen_character.cast[each.key].id
  title        = "Scenes of ${each.value.name}"
  prompts      = provider::mediagen::prompts(local.scenes, local.style)

  lifecycle {
    prevent_destroy = true # a character that is taken away is an error, and deletes nothing
  }
}

output "cost" {
  value = try(sum(values(mediagen_generation_group.cast)[*].cost), 0)

  precondition {
    condition     = try(sum(values(mediagen_generation_group.cast)[*].cost), 0) <= local.production.budget
    error_message = "The waves so far would cost more than ${local.production.budget} credits."
  }
}

# A failed picture makes a later plan say so, and stops nothing.
check "pictures" {
  assert {
    condition     = alltrue([for group in mediagen_generation_group.cast : group.failed_count == 0])
    error_message = "Some pictures have failed: set max_attempts, or change their prompts."
  }
}
