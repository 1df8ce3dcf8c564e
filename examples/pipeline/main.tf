locals {
  characters = yamldecode(file("${path.module}/${var.characters_file}"))

  # What nothing reads is no error: a mistyped key would be lost without a word.
  unknown_keys = {
    for name, character in local.characters :
    name => setsubtract(keys(character), ["id", "name", "description", "faces", "prompts"])
  }

  faces = merge([
    for name, character in local.characters : {
      for file in character.faces : "${name}/${file}" => { character = name, file = file }
    }
  ]...)

  prompts = {
    for name, character in local.characters :
    name => merge(character.prompts, lookup(var.extra_prompts, name, {}))
  }
}

# Adopts an existing character; destroy only removes it from the state.
resource "mediagen_character" "this" {
  for_each = local.characters

  id          = each.value.id
  name        = each.value.name
  description = each.value.description

  lifecycle {
    precondition {
      condition     = length(local.unknown_keys[each.key]) == 0
      error_message = "${each.key} has unknown keys: ${join(", ", local.unknown_keys[each.key])}."
    }
  }
}

resource "mediagen_face_image" "this" {
  for_each = local.faces

  character_id = mediagen_character.this[each.value.character].id
  source       = "${path.module}/faces/${each.value.file}"
}

# Costs credits and takes minutes to hours. If the wait is interrupted, the next
# apply resumes it and buys nothing.
resource "mediagen_body_lora_training" "this" {
  for_each = local.characters

  character_id = mediagen_character.this[each.key].id
  triggers = {
    retrain = var.retrain
  }

  depends_on = [mediagen_face_image.this]

  lifecycle {
    # A failed training is data, not an error: this makes it fail the run without
    # buying it again.
    postcondition {
      condition     = self.succeeded != false
      error_message = "The training of ${each.key} failed: status ${coalesce(self.status, "not given")}. Change retrain to train again."
    }
  }
}

# Costs credits for each prompt. Destroy deletes the media.
resource "mediagen_generation_group" "this" {
  for_each = local.characters

  # Refers to the training, so that the LoRA exists before a prompt needs it.
  character_id = mediagen_body_lora_training.this[each.key].character_id
  title        = "${each.value.name}, pipeline"
  prompts = {
    for name, text in local.prompts[each.key] : name => {
      prompt        = text
      face_swap     = true
      use_face_lora = false
      use_body_lora = true
    }
  }

  lifecycle {
    postcondition {
      condition     = self.failed_count + self.unconfirmed_count == 0
      error_message = "Some prompts of ${each.key} have no results; raise max_attempts to submit failed ones again, or change the take of one."
    }

    # Fails the plan. A budget without a price fails it too.
    postcondition {
      condition     = try(self.cost <= var.budget, var.budget == null)
      error_message = "The pictures of ${each.key} are over budget, or prices has no generation."
    }
  }
}
