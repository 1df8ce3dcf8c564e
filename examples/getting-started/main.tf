terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

provider "mediagen" {
  prices = { generation = 1 } # what you pay, in credits
}

variable "budget" {
  description = "Credits that the landscapes may cost in their life."
  type        = number
  default     = 10
}

variable "prompts" {
  description = "Prompts by name. Each costs credits, once."
  type        = map(string)
  default     = { coast = "A rocky coast at dusk" }
}

resource "mediagen_generation_group" "landscapes" {
  title   = "Landscapes"
  prompts = { for name, text in var.prompts : name => { prompt = text } }

  lifecycle {
    # Fails the plan, before anything is sent.
    postcondition {
      condition     = self.cost <= var.budget
      error_message = "The landscapes are over budget."
    }
  }
}

output "cost" {
  value = mediagen_generation_group.landscapes.cost
}

output "pictures" {
  value = mediagen_generation_group.landscapes.result_urls
}

output "page" {
  description = "All pictures, for a browser."
  value = join("\n", [
    for name, addresses in mediagen_generation_group.landscapes.result_urls :
    "<h2>${name}</h2>${join("", [for address in addresses : "<img src=\"${address}\">"])}"
  ])
}
