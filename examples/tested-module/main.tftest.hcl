# The mock sends no request and buys nothing.
mock_provider "mediagen" {
  mock_resource "mediagen_body_lora_training" {
    defaults = { succeeded = true }
  }

  mock_resource "mediagen_generation_group" {
    defaults = {
      result_urls = {
        cover = ["https://media.example.com/cover.png", "https://media.example.com/cover-2.png"]
        stage = []
      }
      succeeded_count = 1
      failed_count    = 1
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
    condition     = output.summary == "1 of 2 have results"
    error_message = "The summary is ${output.summary}."
  }
}
