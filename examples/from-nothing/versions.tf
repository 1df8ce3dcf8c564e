terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY provide address and credential: a
# credential in a variable would end up in saved plans.
provider "mediagen" {}
