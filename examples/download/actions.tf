action "mediagen_download_generations" "portraits" {
  config {
    generation_ids = { for key, generation in mediagen_generation_group.portraits.generations : key => generation.id }
    directory      = "${path.module}/portraits"
    groups         = [mediagen_generation_group.portraits] # for the record
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
