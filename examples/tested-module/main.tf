terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

variable "character_id" {
  description = "Character to render."
  type        = string
  default     = "char_ada"
}

variable "prompts" {
  description = "Prompts by name."
  type        = map(string)
  default = {
    cover = "Portrait in soft morning light"
    stage = "On a stage in red light"
  }
}

# Costs credits, once.
resource "mediagen_body_lora_training" "this" {
  character_id = var.character_id

  lifecycle {
    postcondition {
      condition     = self.succeeded != false
      error_message = "The body LoRA of ${self.character_id} is not trained."
    }
  }
}

# Each prompt costs credits. Destroy deletes the media.
resource "mediagen_generation_group" "this" {
  character_id = mediagen_body_lora_training.this.character_id
  prompts      = { for name, text in var.prompts : name => { prompt = text } }
}

output "covers" {
  description = "First result address of each prompt that has results."
  value       = { for name, addresses in mediagen_generation_group.this.result_urls : name => addresses[0] if length(addresses) > 0 }
}

output "cost" {
  description = "Credits that it was planned to cost so far: at most. null without prices."
  value       = try(mediagen_body_lora_training.this.cost + mediagen_generation_group.this.cost, null)
}

output "failures" {
  description = "Why a prompt has no results: it failed, was rejected, or it is unknown whether it was bought."
  value       = { for name, generation in mediagen_generation_group.this.generations : name => generation.error if generation.error != null }
}
