# Run this only against the mock service: it buys one training and six prompts.
# MEDIAGEN_BASE_URL and MEDIAGEN_API_KEY name the service, which must have the
# characters char_ada and char_lin.
provider "mediagen" {
  max_purchases = 7
  prices        = { generation = 1, training = 100 }
}

variables {
  characters_file = "characters.yaml"
  faces_directory = "faces"
}

# A plan of its own provider, since Terraform 1.16 counts it for max_purchases too.
provider "mediagen" {
  alias  = "priced"
  prices = { generation = 1, training = 100 }
}

run "it_costs_106" {
  command = plan

  providers = {
    mediagen = mediagen.priced
  }

  assert {
    condition     = output.cost == 106
    error_message = "The plan costs ${output.cost}."
  }
}

run "everything_has_results" {
  command = apply

  variables {
    budget = 4
  }

  assert {
    condition     = length(output.results) == 6 && alltrue([for addresses in output.results : length(addresses) > 0])
    error_message = "The results are ${jsonencode(output.results)}."
  }

  assert {
    condition     = length(output.failures) == 0 && output.pending == 0 && length(output.untrained) == 0
    error_message = "Failures: ${jsonencode(output.failures)}, pending: ${output.pending}, untrained: ${jsonencode(output.untrained)}."
  }
}

# A provider that may buy nothing shows that nothing is bought again.
provider "mediagen" {
  alias         = "frugal"
  max_purchases = 0
}

run "nothing_is_bought_again" {
  command = plan

  providers = {
    mediagen = mediagen.frugal
  }
}
