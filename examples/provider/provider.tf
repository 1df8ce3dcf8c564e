terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# The environment provides address and credential: MEDIAGEN_BASE_URL and
# MEDIAGEN_API_KEY. A key in a variable would end up in saved plans.
provider "mediagen" {
  prices      = { generation = 1 } # what you pay, in credits
  max_credits = 10                 # what one run may spend
}

resource "mediagen_generation_group" "portraits" {
  character_id = "char_ada"

  prompts = {
    morning = { prompt = "Portrait in soft morning light" }
    stage   = { prompt = "On a stage in red light" }
  }
}

output "pictures" {
  value = mediagen_generation_group.portraits.result_urls
}
