# A person looks at the images of a dataset before a training learns from them. What
# stands in approvals.yaml decides what the next apply buys: another take of an image that
# is rejected, and the training once each image is approved.
terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY provide address and credential.
provider "mediagen" {
  prices = { image = 1, training = 100 }
}

data "mediagen_dataset_images" "ada" {
  character_id = "char_ada"
}

locals {
  images    = { for image in data.mediagen_dataset_images.ada.images : image.image_id => image }
  approvals = yamldecode(file("${path.module}/approvals.yaml"))

  # What nothing reads is no error: a mistyped word would be lost without a word.
  mistyped = concat(tolist(setsubtract(keys(local.approvals), ["images", "train"])), [
    for id, decision in local.approvals.images : id
    if !contains(keys(local.images), id) || length(setsubtract(keys(decision), ["approved", "take"])) > 0
  ])

  approved = toset([for id, decision in local.approvals.images : id if try(tobool(decision.approved), false)])
  retaken  = { for id, decision in local.approvals.images : id => decision.take if try(decision.take, 1) > 1 }
}

# Counts as a purchase: what it costs is not documented.
resource "mediagen_dataset_image_regeneration" "ada" {
  for_each = local.retaken

  character_id = "char_ada"
  image_id     = each.key
  prompt       = coalesce(local.images[each.key].prompt, "Half profile in daylight")
  triggers     = { take = each.value }
}

# Free. It is not the approval of the dataset as a whole, which would be final.
resource "mediagen_dataset_approval" "ada" {
  character_id = "char_ada"
  image_ids    = local.approved

  depends_on = [mediagen_dataset_image_regeneration.ada]

  lifecycle {
    precondition {
      condition     = length(local.mistyped) == 0
      error_message = "Unknown in approvals.yaml, or no such decision: ${join(", ", local.mistyped)}."
    }
  }
}

# Costs credits.
resource "mediagen_body_lora_training" "ada" {
  count = local.approvals.train ? 1 : 0

  character_id = mediagen_dataset_approval.ada.character_id

  depends_on = [mediagen_dataset_approval.ada]

  lifecycle {
    prevent_destroy = true # a training that is taken back is an error: it would be bought again

    precondition {
      condition     = length(local.approved) == length(local.images)
      error_message = "Not approved: ${join(", ", setsubtract(keys(local.images), local.approved))}."
    }
  }
}

# To be looked at, by: terraform state show data.mediagen_dataset_images.ada
output "undecided" {
  value = setsubtract(keys(local.images), local.approved)
}
