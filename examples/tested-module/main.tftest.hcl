mock_provider "mediagen" {
  mock_resource "mediagen_body_lora_training" {
    defaults = { succeeded = true, cost = 100 }
  }

  mock_resource "mediagen_generation_group" {
    defaults = {
      generations = {
        cover = { id = "gen_1", status = "completed", succeeded = true, error = null, attempts = 1 }
        stage = { id = null, status = "unconfirmed", succeeded = null, error = "lost", attempts = 1 }
      }
      cost        = 2
      result_urls = { cover = ["https://media.example.com/cover.png"], stage = [] }
    }
  }
}

run "outputs" {
  assert {
    condition     = output.covers == { cover = "https://media.example.com/cover.png" }
    error_message = "The covers are ${jsonencode(output.covers)}."
  }

  assert {
    condition     = output.failures == { stage = "lost" }
    error_message = "The failures are ${jsonencode(output.failures)}."
  }

  assert {
    condition     = output.cost == 102
    error_message = "It costs ${output.cost}."
  }
}
