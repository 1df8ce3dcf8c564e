terraform {
  required_version = ">= 1.10" # ephemeral variables; OpenTofu 1.11

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

variable "ci_token" {
  description = "What your CI proves itself with to your backend."
  type        = string
  ephemeral   = true # not stored in saved plans; Terraform 1.10, OpenTofu 1.11
}

# Your backend authenticates the run, exchanges the API key and returns only an
# access token: the run never holds the key.
provider "mediagen" {
  base_url = "https://api.example.com/v2"

  token_provider = {
    url     = "https://backend.example.com/mediagen/token"
    headers = { Authorization = "Bearer ${var.ci_token}" }
  }
}
