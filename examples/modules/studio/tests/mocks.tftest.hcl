# Nothing is sent. Mocks do not fill maps of objects, so the groups' results are
# given here.
mock_provider "mediagen" {
  mock_resource "mediagen_body_lora_training" {
    defaults = { succeeded = true }
  }

  mock_resource "mediagen_generation_group" {
    defaults = {
      result_urls   = { any = ["https://media.example.com/any.png"] }
      pending_count = 1
    }
  }
}

variables {
  characters_file = "characters.yaml"
  faces_directory = "faces"
}

run "series_become_prompts" {
  command = plan

  assert {
    condition     = join(" ", keys(mediagen_generation_group.this)) == "ada/portraits lin/dances"
    error_message = "The groups are ${jsonencode(keys(mediagen_generation_group.this))}."
  }

  assert {
    condition     = join(" ", keys(mediagen_generation_group.this["ada/portraits"].prompts)) == "in-the-forest-daylight in-the-forest-red-light on-a-stage-daylight on-a-stage-red-light"
    error_message = "The prompts are ${jsonencode(keys(mediagen_generation_group.this["ada/portraits"].prompts))}."
  }

  assert {
    condition     = alltrue([for key, prompt in mediagen_generation_group.this["lin/dances"].prompts : !prompt.use_body_lora])
    error_message = "Lin is not trained, so her prompts must not use a LoRA."
  }

  assert {
    condition     = join(" ", keys(mediagen_body_lora_training.this)) == "ada"
    error_message = "Only Ada is trained."
  }
}

run "outputs_are_flat" {
  command = apply

  assert {
    condition     = join(" ", keys(output.results)) == "ada/portraits/any lin/dances/any" && output.results["lin/dances/any"][0] == "https://media.example.com/any.png"
    error_message = "The results are ${jsonencode(output.results)}."
  }

  assert {
    condition     = output.pending == 2 && length(output.untrained) == 0
    error_message = "Pending: ${output.pending}, untrained: ${jsonencode(output.untrained)}."
  }
}
