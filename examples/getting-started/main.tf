terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

provider "mediagen" {}

variable "prompts" {
  description = "Prompts by name. Each costs credits, once."
  type        = map(string)
  default     = { coast = "A rocky coast at dusk" }
}

resource "mediagen_generation_group" "landscapes" {
  title   = "Landscapes"
  prompts = { for name, text in var.prompts : name => { prompt = text } }
}

output "pictures" {
  value = mediagen_generation_group.landscapes.result_urls
}
