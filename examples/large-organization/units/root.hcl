# Each directory beside this file is a unit: it applies the slice of its name,
# with that slice's state.
locals {
  slice        = path_relative_to_include()
  organization = "${get_parent_terragrunt_dir()}/../organization"
}

terraform {
  source = "${get_parent_terragrunt_dir()}/.."

  # Each unit works in a copy, which needs nobody's plans and states.
  exclude_from_copy = ["units/**", "organization/*.tfstate*", "organization/*.log"]

  # What no state knows after an interrupt.
  extra_arguments "books" {
    commands = ["apply", "destroy"]
    env_vars = {
      MEDIAGEN_PURCHASE_LOG = "${local.organization}/${local.slice}.log"
    }
  }
}

inputs = {
  slice = local.slice
}

# Several people need a backend that they share and that locks, such as s3, here
# and in main.tf.
remote_state {
  backend = "local"
  config = {
    path = "${local.organization}/${local.slice}.tfstate"
  }
}
