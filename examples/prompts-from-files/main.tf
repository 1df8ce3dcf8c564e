# A prompt for each row of a spreadsheet, and for each entry of a YAML file. The
# CLI drops without a word what is no option of a prompt, and so what is mistyped:
# a precondition, and the function prompts, make it an error before anything is
# bought.
terraform {
  required_version = ">= 1.8" # functions of providers

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY provide address and credential.
provider "mediagen" {}

locals {
  # "CSV UTF-8" begins with a byte order mark, which would be part of the first column's name.
  csv        = trimprefix(file("${path.module}/prompts.csv"), "\ufeff")
  semicolons = strcontains(split("\n", local.csv)[0], ";")

  # With semicolons a row stands in that the precondition keeps from being bought.
  rows            = local.semicolons ? [{ name = "row", prompt = "row", face_swap = "" }] : csvdecode(local.csv)
  unknown_columns = setsubtract(flatten([for row in local.rows : keys(row)]), ["name", "prompt", "face_swap"])

  written = yamldecode(file("${path.module}/prompts.yaml"))
}

# All cells are text, so an empty one is no bool: null lets the service decide.
resource "mediagen_generation_group" "rows" {
  character_id = "char_ada"
  title        = "From a spreadsheet"

  prompts = {
    for row in local.rows : row.name => {
      prompt    = row.prompt
      face_swap = row.face_swap == "" ? null : tobool(lower(row.face_swap))
    }
  }

  lifecycle {
    precondition {
      condition     = !local.semicolons
      error_message = "prompts.csv separates its columns by semicolons. Save it with commas, as \"CSV UTF-8 (comma delimited)\"."
    }

    precondition {
      condition     = length(local.unknown_columns) == 0
      error_message = "prompts.csv has unknown columns: ${join(", ", local.unknown_columns)}."
    }
  }
}

resource "mediagen_generation_group" "written" {
  character_id = "char_ada"
  title        = "From a file"
  prompts      = provider::mediagen::prompts(local.written)
}
