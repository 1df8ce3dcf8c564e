terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

resource "mediagen_chat_completion" "idea" {
  check_image_generation = true # alpha
  messages               = [{ role = "user", content = "A picture of a lighthouse keeper at dawn, please" }]

  lifecycle {
    # If the answer is no prompt, nothing is bought.
    postcondition {
      condition     = self.choices[0].image_prompt != null
      error_message = "The model says: ${coalesce(self.content, "nothing")}"
    }
  }
}

resource "mediagen_generation_group" "picture" {
  prompts = {
    idea = { prompt = mediagen_chat_completion.idea.choices[0].image_prompt }
  }
}
