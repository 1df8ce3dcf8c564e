# A chat writes the prompt of a picture, a generation group buys the picture,
# and a categorization says what can be seen on it.
terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

# Address and credential come from MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY.
provider "mediagen" {}

variable "wish" {
  description = "What the picture should show. Another wish asks again, and buys another picture."
  type        = string
  default     = "A picture of a lighthouse keeper at dawn, please"
}

# Asked once: plans and refreshes do not ask again, so that the prompt, and with
# it the picture that was bought, stays as it is.
resource "mediagen_chat_completion" "idea" {
  compliance             = true
  check_image_generation = true # alpha

  messages = [
    { role = "system", content = "You write prompts for a portrait photographer." },
    { role = "user", content = var.wish },
  ]

  lifecycle {
    postcondition {
      condition     = length(self.compliance_violations) == 0
      error_message = "The reply violates: ${join(", ", self.compliance_violations)}."
    }
    # Nothing is bought for a reply that is not a prompt.
    postcondition {
      condition     = self.choices[0].image_prompt != null
      error_message = "The model wants no picture. It says: ${coalesce(self.content, "nothing")}"
    }
  }
}

# Costs credits. Destroy deletes the media.
resource "mediagen_generation_group" "picture" {
  title = "What the chat wished for"

  prompts = {
    idea = { prompt = mediagen_chat_completion.idea.choices[0].image_prompt }
  }

  lifecycle {
    postcondition {
      condition     = self.succeeded_count == 1
      error_message = "There is no picture: ${coalesce(self.generations["idea"].error, "it has not ended; apply again")}."
    }
  }
}

resource "mediagen_media_categorization" "picture" {
  media_url = mediagen_generation_group.picture.generations["idea"].result_urls[0]
  metadata  = ["categories", "participants", "actions", "scene", "tags"]
}

output "picture" {
  description = "Address of the picture."
  value       = mediagen_generation_group.picture.generations["idea"].result_urls[0]
}

output "seen" {
  description = "What can be seen on it."
  value = {
    scene = mediagen_media_categorization.picture.scene
    tags  = mediagen_media_categorization.picture.tags
  }
}
