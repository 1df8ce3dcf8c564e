# One sample of each character first. What a person writes into approvals.yaml decides
# what the next apply buys: the scenes of a character whose samples are approved, and
# another take of a picture that is rejected.
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
  prices = { generation = 1 }
}

locals {
  cast = {
    ada = "char_ada"
    lin = "char_lin"
  }

  samples = {
    portrait = "Portrait in soft morning light"
  }

  scenes = {
    stage  = "On a stage in red light"
    street = "Walking through a street after the rain"
  }

  approvals = yamldecode(file("${path.module}/approvals.yaml"))

  # What nothing reads is no error: a mistyped word would be lost without a word.
  mistyped = flatten([
    for name, pictures in local.approvals : [
      for key, decision in pictures : "${name}/${key}"
      if !contains(keys(local.cast), name) || !contains(keys(merge(local.samples, local.scenes)), key)
      || length(setsubtract(keys(decision), ["approved", "take"])) > 0 || !can(tobool(try(decision.approved, false)))
    ]
  ])

  approved = toset([
    for name in keys(local.cast) : name
    if alltrue([for key in keys(local.samples) : try(tobool(local.approvals[name][key].approved), false)])
  ])
}

resource "mediagen_generation_group" "samples" {
  for_each = local.cast

  character_id = each.value
  title        = "Samples of ${each.key}"

  prompts = {
    for key, text in local.samples : key => { prompt = text, take = try(local.approvals[each.key][key].take, null) }
  }
}

resource "mediagen_generation_group" "scenes" {
  for_each = local.approved

  character_id = mediagen_generation_group.samples[each.key].character_id
  title        = "Scenes of ${each.key}"

  prompts = {
    for key, text in local.scenes : key => { prompt = text, take = try(local.approvals[each.key][key].take, null) }
  }

  lifecycle {
    prevent_destroy = true # an approval that is taken back is an error, and deletes nothing
  }
}

locals {
  pictures = merge([
    for name in keys(local.cast) : {
      for key, addresses in merge(
        mediagen_generation_group.samples[name].result_urls,
        try(mediagen_generation_group.scenes[name].result_urls, {}),
      ) : "${name}/${key}" => addresses if length(addresses) > 0
    }
  ]...)

  decided = toset(flatten([
    for name, pictures in local.approvals : [
      for key, decision in pictures : "${name}/${key}" if try(tobool(decision.approved), false)
    ]
  ]))
}

# To be looked at.
output "undecided" {
  value = { for name, addresses in local.pictures : name => addresses if !contains(local.decided, name) }

  precondition {
    condition     = length(local.mistyped) == 0
    error_message = "Unknown in approvals.yaml, or no such decision: ${join(", ", local.mistyped)}."
  }
}

# To be handed on.
output "approved" {
  value = { for name, addresses in local.pictures : name => addresses if contains(local.decided, name) }
}
