# A service may refuse some prompts of a batch, and make the others.
terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY provide address and credential.
provider "mediagen" {}

resource "mediagen_generation_group" "scenes" {
  prompts = {
    coast  = { prompt = "A rocky coast at dawn" }
    battle = { prompt = "A battle" }
    town   = { prompt = "A town by the sea" }
  }
}

output "refused" {
  value = { for key, generation in mediagen_generation_group.scenes.generations : key => generation.error if generation.error != null }
}
