terraform {
  required_version = ">= 1.14"

  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

# Address and credential come from MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY.
provider "mediagen" {}
