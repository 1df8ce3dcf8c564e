# One of each managed resource that a service can lose, one after the other, so
# that every run sends its requests in the same order.

terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

variable "updated" {
  type    = bool
  default = false
}

variable "wait" {
  type    = bool
  default = true
}

locals {
  # The update keeps one, changes one, removes one and adds one.
  prompts = var.updated ? tomap({
    kept    = "On the beach"
    changed = "On a stage in red light"
    added   = "In a library"
    }) : tomap({
    kept    = "On the beach"
    changed = "On a stage in blue light"
    removed = "In a garden"
  })
}

resource "mediagen_character" "ada" {
  id   = "char_ada"
  name = var.updated ? "Ada Lovelace" : "Ada"
}

resource "mediagen_face_image" "ada" {
  character_id = mediagen_character.ada.id
  source       = "${path.module}/${var.updated ? "second" : "first"}.png"
}

resource "mediagen_body_lora_training" "ada" {
  character_id        = mediagen_character.ada.id
  wait_for_completion = var.wait

  depends_on = [mediagen_face_image.ada]
}

resource "mediagen_generation_group" "ada" {
  character_id          = mediagen_body_lora_training.ada.character_id
  title                 = "Ada, interrupted"
  prompts               = { for key, text in local.prompts : key => { prompt = text } }
  max_prompts_per_batch = 1
  wait_for_completion   = var.wait
}
