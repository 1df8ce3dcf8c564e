terraform {
  required_version = ">= 1.8" # functions of providers

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# A misspelt option, such as face_swop, is an error of the configuration.
resource "mediagen_generation_group" "studio" {
  prompts = provider::mediagen::prompts({
    town   = "A town by the sea"
    forest = { prompt = "A forest path", take = 2 }
    }, {
    suffix    = ", in oil, soft light"
    face_swap = true
  })
}
