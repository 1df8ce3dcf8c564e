terraform {
  required_version = ">= 1.14"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY provide address and credential.
provider "mediagen" {}
