# Staging and production in one configuration: each provider block has an address, a
# key, a limit and a purchase log of its own.
terraform {
  required_version = ">= 1.10" # ephemeral variables, which no plan and no state stores

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

variable "staging" {
  description = "Address and key of the deployment for tests."
  type        = object({ base_url = string, api_key = string })
  sensitive   = true
  ephemeral   = true
}

variable "production" {
  description = "Address and key of the deployment that serves customers."
  type        = object({ base_url = string, api_key = string })
  sensitive   = true
  ephemeral   = true
}

provider "mediagen" {
  alias         = "staging"
  base_url      = var.staging.base_url
  api_key       = var.staging.api_key
  max_purchases = 5
  purchase_log  = "staging.jsonl"
}

provider "mediagen" {
  alias         = "production"
  base_url      = var.production.base_url
  api_key       = var.production.api_key
  max_purchases = 50
  purchase_log  = "production.jsonl"
}

locals {
  scenes = {
    coast = { prompt = "A rocky coast at dawn" }
    town  = { prompt = "A town by the sea" }
  }
}

# One picture shows whether the prompts work.
resource "mediagen_generation_group" "draft" {
  provider = mediagen.staging

  title   = "Draft"
  prompts = { coast = local.scenes.coast }
}

resource "mediagen_generation_group" "final" {
  provider = mediagen.production

  title   = "Scenes"
  prompts = local.scenes
}
