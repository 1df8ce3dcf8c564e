# A chat writes the prompt of a picture, a generation group buys the picture,
# and a categorization describes it.
terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY provide address and credential.
provider "mediagen" {}

variable "wish" {
  description = "What the picture should show. A change runs the chat again and buys another picture."
  type        = string
  default     = "A picture of a lighthouse keeper at dawn, please"
}

# Runs once, at create: plans and refreshes do not repeat it, so that the prompt,
# and with it the bought picture, does not change.
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
    # If the reply is not a prompt, nothing is bought.
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
  media_url = mediagen_generation_group.picture.result_urls["idea"][0]
  metadata  = ["categories", "participants", "actions", "scene", "tags"]
}

output "picture" {
  description = "Address of the picture."
  value       = mediagen_generation_group.picture.result_urls["idea"][0]
}

output "seen" {
  description = "What can be seen on it."
  value = {
    scene = mediagen_media_categorization.picture.scene
    tags  = mediagen_media_categorization.picture.tags
  }
}
