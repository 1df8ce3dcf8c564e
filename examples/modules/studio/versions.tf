terraform {
  required_version = ">= 1.8" # functions of providers

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}
