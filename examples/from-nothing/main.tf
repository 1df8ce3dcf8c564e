# One character from nothing to its pictures, in two applies: between them somebody
# looks at the dataset. It needs a deployment that has the endpoints for it.

# Created, since it has no id. Destroy deletes it.
resource "mediagen_character" "mira" {
  name        = "Mira"
  description = "A violinist with red curls."
}

resource "mediagen_face_image" "mira" {
  for_each = toset(["face-1.png", "face-2.png"])

  character_id = mediagen_character.mira.id
  source       = "${path.module}/images/${each.key}"
}

resource "mediagen_body_image" "mira" {
  for_each = toset(["front", "back"])

  character_id = mediagen_character.mira.id
  image_type   = "body_image_${each.key}"
  source       = "${path.module}/images/body-${each.key}.png"
}

# Costs credits.
resource "mediagen_face_lora_training" "mira" {
  character_id = mediagen_character.mira.id

  depends_on = [mediagen_face_image.mira]

  lifecycle {
    # What fails after it was paid for is data: this makes it fail the run, without
    # buying it again.
    postcondition {
      condition     = self.succeeded != false
      error_message = "The face training failed: status ${coalesce(self.status, "not given")}."
    }
  }
}

# May cost credits: what a dataset costs is not documented.
resource "mediagen_dataset" "mira" {
  character_id = mediagen_character.mira.id
  prompts = [
    "From the front, in daylight",
    "From the back, in daylight",
    "Half profile, sitting on a chair",
    "Full length, walking",
  ]

  depends_on = [mediagen_body_image.mira, mediagen_face_lora_training.mira]

  lifecycle {
    postcondition {
      condition     = self.total_images >= self.min_required
      error_message = "The dataset has too few images: status ${coalesce(self.status, "not given")}."
    }
  }
}

data "mediagen_dataset_images" "mira" {
  character_id = mediagen_character.mira.id

  depends_on = [mediagen_dataset.mira]
}

# --- The second apply: approve = true ----------------------------------------

resource "mediagen_dataset_approval" "mira" {
  count = var.approve ? 1 : 0

  character_id = mediagen_character.mira.id
  image_ids    = setsubtract(data.mediagen_dataset_images.mira.images[*].image_id, var.rejected)
  approve      = true
}

# Costs credits.
resource "mediagen_body_lora_training" "mira" {
  count = var.approve ? 1 : 0

  character_id = mediagen_character.mira.id

  depends_on = [mediagen_dataset_approval.mira]

  lifecycle {
    postcondition {
      condition     = self.succeeded != false
      error_message = "The body training failed: status ${coalesce(self.status, "not given")}."
    }
  }
}

# Costs credits for each prompt. Destroy deletes the media.
resource "mediagen_generation_group" "mira" {
  count = var.approve ? 1 : 0

  # Refers to the training, so that the LoRA exists before a prompt needs it.
  character_id = mediagen_body_lora_training.mira[0].character_id
  title        = "Mira"
  prompts = {
    for key, text in {
      portrait = "Portrait in soft morning light"
      concert  = "Playing the violin on a stage in red light"
      street   = "Walking in the rain, neon signs, reflections"
    } : key => { prompt = text, use_face_lora = true, use_body_lora = true }
  }

  lifecycle {
    postcondition {
      condition     = self.failed_count + self.unconfirmed_count == 0
      error_message = "Some prompts have no results; raise max_attempts to submit failed ones again, or change the take of one."
    }
  }
}
