# One object of each type at least, in what states hold: created, adopted and
# imported, with settings and without.

terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

provider "mediagen" {}

resource "mediagen_character" "created" {
  name        = "Max"
  description = "Reports from the harbour"
}

resource "mediagen_character" "ada" {
  id              = "char_ada"
  name            = "Ada"
  deletion_policy = "keep"
}

resource "mediagen_character" "lin" {
  id = "char_lin"
}

resource "mediagen_face_image" "ada" {
  character_id = mediagen_character.ada.id
  source       = "${path.module}/image.gif"
}

resource "mediagen_body_image" "ada" {
  for_each = toset(["body_image_front", "body_image_back"])

  character_id = mediagen_character.ada.id
  image_type   = each.key
  source       = "${path.module}/image.gif"
  filename     = "${each.key}.gif"
}

resource "mediagen_face_lora_training" "created" {
  character_id = mediagen_character.ada.id
  depends_on   = [mediagen_face_image.ada]
}

resource "mediagen_dataset" "ada" {
  character_id = mediagen_character.ada.id
  prompts      = ["From the front", "From the back", "Half profile"]
  triggers     = { round = "1" }
  depends_on   = [mediagen_body_image.ada]
}

resource "mediagen_dataset_image_regeneration" "ada" {
  character_id = mediagen_character.ada.id
  image_id     = "image_000001"
  prompt       = "Half profile in daylight"
  depends_on   = [mediagen_dataset.ada]
}

resource "mediagen_dataset_approval" "ada" {
  character_id = mediagen_character.ada.id
  image_ids    = ["image_000001", "image_000002", "image_000003"]
  approve      = true
  depends_on   = [mediagen_dataset_image_regeneration.ada]
}

resource "mediagen_body_lora_training" "created" {
  character_id = mediagen_character.ada.id
  triggers     = { round = "1" }
  timeouts     = { create = "4h" }
  depends_on   = [mediagen_dataset_approval.ada]
}

# job_000001 was started before.
import {
  to = mediagen_body_lora_training.imported
  id = "char_lin/job_000001"
}

resource "mediagen_body_lora_training" "imported" {
  character_id = "char_lin"
}

resource "mediagen_generation_group" "created" {
  character_id          = mediagen_character.ada.id
  title                 = "Portraits"
  max_attempts          = 2
  max_prompts_per_batch = 2
  refresh_finished      = false
  deletion_policy       = "keep"

  prompts = {
    morning = { prompt = "Portrait in soft morning light", face_swap = true, use_face_lora = false, take = 2 }
    stage   = { prompt = "On a stage in red light", source_image_url = "https://media.example.com/stage.jpg" }
    rain    = { prompt = "  In the rain\n" }
  }

  depends_on = [mediagen_body_lora_training.created]
}

resource "mediagen_generation_group" "refused" {
  prompts = {
    one = { prompt = "A coast at dusk" }
    two = { prompt = "refused" }
  }
}

# gen_000001 and gen_000002 were bought before.
import {
  to = mediagen_generation_group.imported
  id = "{\"coast\": \"gen_000001\", \"city\": \"gen_000002\"}"
}

resource "mediagen_generation_group" "imported" {
  prompts = {
    coast = { prompt = "A coast" }
    city  = { prompt = "A city" }
  }
}

resource "mediagen_chat_completion" "all" {
  model                  = "chat-1"
  temperature            = 0.2
  check_image_generation = true
  messages               = [{ role = "user", content = "A picture, please." }]
  tools = [{
    name        = "weather"
    description = "Tells the weather at a place."
    parameters  = jsonencode({ type = "object" })
  }]
  triggers = { round = "1" }
}

resource "mediagen_vision_completion" "all" {
  model = "vision-1"
  messages = [{
    role    = "user"
    content = [{ text = "What is this?" }, { image_url = "https://media.example.com/photos/ada.jpg" }]
  }]
}

resource "mediagen_media_categorization" "all" {
  media_url = "https://media.example.com/photos/ada.jpg"
  metadata  = ["categories", "scene"]
}

resource "mediagen_image" "all" {
  prompt = "A castle"
}
