terraform {
  required_version = ">= 1.8" # functions of providers

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

locals {
  # Keys such as on-a-stage-red-light.
  prompts = provider::mediagen::prompt_matrix("Portrait {place}, {light}", {
    place = ["on a stage", "in the forest"]
    light = ["red light", "daylight"]
  })
}

resource "mediagen_generation_group" "portraits" {
  prompts = provider::mediagen::prompts(local.prompts, { suffix = ", film still" })
}
