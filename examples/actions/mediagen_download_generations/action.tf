resource "mediagen_generation_group" "portraits" {
  prompts = {
    morning = { prompt = "Portrait in soft morning light" }
    stage   = { prompt = "On a stage in red light" }
  }
}

locals {
  ids = { for key, generation in mediagen_generation_group.portraits.generations : key => generation.id }
}

# A failed download is repeated by the next apply, or by -replace.
resource "terraform_data" "downloaded" {
  input = local.ids

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_download_generations.portraits]
    }
  }
}

action "mediagen_download_generations" "portraits" {
  config {
    generation_ids = local.ids
    directory      = "${path.module}/portraits"
  }
}
