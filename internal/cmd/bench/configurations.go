package main

// required names the providers of all configurations.
const required = `terraform {
  required_providers {
    mediagen = { source = "mediagen/mediagen" }
    blank    = { source = "mediagen/blank" }
  }
}

`

// characters are so many characters. With for_each the CLI's own time would grow
// with the square of their number.
var characters = map[string]string{
	ours: `variable "n" { type = number }

resource "mediagen_character" "all" {
  count = var.n
  id    = format("ch_%05d", count.index)
}
`,
	floor: `variable "n" { type = number }

resource "blank_character" "all" {
  count = var.n
  id    = format("ch_%05d", count.index)
}
`,
	data: `variable "n" { type = number }

resource "terraform_data" "all" {
  count = var.n
  input = format("ch_%05d", count.index)
}
`,
}

// prompts are so many prompts. A range has 1,024 values at most.
const prompts = `variable "n" { type = number }

locals {
  prompts = merge([
    for first in range(0, var.n, 1000) : {
      for i in range(first, min(first + 1000, var.n)) : format("p%05d", i) => { prompt = "Portrait ${i}" }
    }
  ]...)
}
`

// group is a group of so many prompts.
var group = map[string]string{
	ours: prompts + `
resource "mediagen_generation_group" "all" {
  character_id = "ch_00000"
  prompts      = local.prompts
}
`,
	floor: prompts + `
resource "blank_generation_group" "all" {
  character_id = "ch_00000"
  prompts      = local.prompts
}
`,
	data: prompts + `
resource "terraform_data" "all" {
  input = local.prompts
}
`,
}

// image is a face image.
var image = map[string]string{ours: `resource "mediagen_face_image" "all" {
  character_id = "ch_00000"
  source       = "image.png"
}
`}
