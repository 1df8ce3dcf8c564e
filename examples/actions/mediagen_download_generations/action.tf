# Buys the pictures and waits for them. The action then writes morning.png,
# stage.png and an index.html that shows them with their prompts.
resource "mediagen_generation_group" "portraits" {
  title = "Portraits"

  prompts = {
    morning = { prompt = "Portrait in soft morning light" }
    stage   = { prompt = "On a stage in red light" }
  }
}

# Created after the download: if that fails, the next apply repeats it. After
# Ctrl-C, or to download again: terraform apply -replace=terraform_data.downloaded
resource "terraform_data" "downloaded" {
  input = { for key, generation in mediagen_generation_group.portraits.generations : key => generation.id }

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_download_generations.portraits]
    }
  }
}

# Requires Terraform 1.14. OpenTofu has no actions: keep them in separate files.
action "mediagen_download_generations" "portraits" {
  config {
    generation_ids = { for key, generation in mediagen_generation_group.portraits.generations : key => generation.id }
    directory      = "${path.module}/portraits"
  }
}
