# Prompts with their options in a file, prompts.yaml:
#
#   harbour:
#     prompt: In a harbour before sunrise
#   studio:
#     prompt: In a studio, soft light from the left
#     face_swap: true
#
# The CLI drops what is no option of a prompt, and so what is mistyped, without a
# word: the precondition makes it an error.
locals {
  written         = yamldecode(file("${path.module}/prompts.yaml"))
  unknown_options = setsubtract(flatten([for prompt in values(local.written) : keys(prompt)]), ["prompt", "face_swap", "use_face_lora", "use_body_lora", "source_image_url", "take"])
}

resource "mediagen_generation_group" "written" {
  character_id = "char_ada"
  title        = "From a file"
  prompts      = local.written

  lifecycle {
    precondition {
      condition     = length(local.unknown_options) == 0
      error_message = "prompts.yaml has unknown options: ${join(", ", local.unknown_options)}."
    }
  }
}
