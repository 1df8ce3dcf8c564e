# The mock sends no request and buys nothing.
mock_provider "mediagen" {
  mock_resource "mediagen_body_lora_training" {
    defaults = { succeeded = true }
  }

  mock_resource "mediagen_generation_group" {
    defaults = {
      generations = {
        cover = { id = "gen_1", status = "completed", succeeded = true, error = null, attempts = 1 }
        # It was bought and failed.
        stage = { id = "gen_2", status = "failed", succeeded = false, error = "no face found", attempts = 1 }
        # The service's reply was lost: perhaps it was bought.
        beach = { id = null, status = "unknown", succeeded = null, error = "the reply was lost", attempts = 1 }
      }
      result_urls = {
        cover = ["https://media.example.com/cover.png", "https://media.example.com/cover-2.png"]
        stage = []
        beach = []
      }
      succeeded_count = 1
      failed_count    = 1
      unknown_count   = 1
    }
  }
}

run "covers_are_what_has_results" {
  command = apply

  assert {
    condition     = output.covers == { cover = "https://media.example.com/cover.png" }
    error_message = "The covers are ${jsonencode(output.covers)}."
  }

  assert {
    condition     = output.summary == "1 of 3 have results"
    error_message = "The summary is ${output.summary}."
  }
}

run "what_failed_or_is_unknown_has_its_reason" {
  command = apply

  assert {
    condition     = output.generation_ids == { cover = "gen_1" }
    error_message = "The ids are ${jsonencode(output.generation_ids)}."
  }

  assert {
    condition     = output.failures == { stage = "no face found", beach = "the reply was lost" }
    error_message = "The failures are ${jsonencode(output.failures)}."
  }
}
