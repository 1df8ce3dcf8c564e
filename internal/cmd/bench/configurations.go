package main

// required names the providers of all configurations.
const required = `terraform {
  required_providers {
    mediagen = { source = "mediagen/mediagen" }
    blank    = { source = "mediagen/blank" }
  }
}

`

// forEach returns a configuration for each subject: a resource of a provider,
// or of terraform_data, which has an input.
func forEach(variables, kind, resource, input string) map[string]string {
	block := func(name, arguments string) string {
		return variables + "\nresource \"" + name + "\" \"all\" {\n" + arguments + "}\n"
	}
	return map[string]string{
		ours:  block("mediagen_"+kind, resource),
		floor: block("blank_"+kind, resource),
		data:  block("terraform_data", input),
	}
}

// characters are configurations of n characters. They use count: with for_each
// the CLI's own time would grow with the square of n.
var characters = forEach("variable \"n\" { type = number }\n", "character", `  count = var.n
  id    = format("ch_%05d", count.index)
`, `  count = var.n
  input = format("ch_%05d", count.index)
`)

// prompts are n prompts. A range has 1,024 values at most.
const prompts = `variable "n" { type = number }

locals {
  prompts = merge([
    for first in range(0, var.n, 1000) : {
      for i in range(first, min(first + 1000, var.n)) : format("p%05d", i) => { prompt = "Portrait ${i}" }
    }
  ]...)
}
`

// group is a group of n prompts.
var group = forEach(prompts, "generation_group", `  character_id = "ch_00000"
  prompts      = local.prompts
`, "  input = local.prompts\n")

// image is a face image.
var image = map[string]string{ours: `resource "mediagen_face_image" "all" {
  character_id = "ch_00000"
  source       = "image.png"
}
`}
