locals {
  characters = yamldecode(file(var.characters_file))

  # What nothing reads is no error: a mistyped key would be lost without a word.
  unknown_keys = {
    for name, character in local.characters : name => setunion(
      setsubtract(keys(character), ["id", "name", "description", "faces", "train", "series"]),
      [for series in values(character.series) : setsubtract(keys(series), ["title", "template", "axes"])]...
    )
  }

  faces = merge([
    for name, character in local.characters : {
      for file in character.faces : "${name}/${file}" => { character = name, file = file }
    }
  ]...)

  trained = toset([for name, character in local.characters : name if character.train])

  groups = merge([
    for name, character in local.characters : {
      for group, series in character.series : "${name}/${group}" => {
        character = name
        title     = series.title
        prompts   = provider::mediagen::prompt_matrix(series.template, series.axes)
      }
    }
  ]...)
}

# Adopts existing characters; destroy only removes them from the state.
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
  source       = "${var.faces_directory}/${each.value.file}"
}

# Costs credits for each character with `train: true`.
resource "mediagen_body_lora_training" "this" {
  for_each = local.trained

  character_id        = mediagen_character.this[each.key].id
  triggers            = { retrain = var.retrain }
  wait_for_completion = var.wait_for_completion

  depends_on = [mediagen_face_image.this]
}

# Costs credits for each combination of a template. Destroy deletes the media.
resource "mediagen_generation_group" "this" {
  for_each = local.groups

  # Refers to the training, so that the LoRA exists before a prompt needs it.
  character_id = try(
    mediagen_body_lora_training.this[each.value.character].character_id,
    mediagen_character.this[each.value.character].id,
  )
  title               = each.value.title
  max_attempts        = var.max_attempts
  wait_for_completion = var.wait_for_completion

  prompts = provider::mediagen::prompts(each.value.prompts, {
    face_swap     = true
    use_face_lora = false
    use_body_lora = contains(local.trained, each.value.character)
  })

  lifecycle {
    # Fails the plan. A budget without a price fails it too.
    postcondition {
      condition     = try(self.cost <= var.budget, var.budget == null)
      error_message = "${each.key} is over budget, or prices has no generation."
    }
  }
}
