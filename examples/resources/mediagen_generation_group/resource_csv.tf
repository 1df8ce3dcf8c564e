# A prompt for each row of a spreadsheet, saved as prompts.csv:
#
#   name,prompt,face_swap
#   bridge,"On a bridge at night, seen from below",TRUE
#   garden,In a garden after the rain,
#
# All cells are text, so an empty one is no bool: null lets the service decide. What
# nothing reads is no error: a column with another name would be lost without a word.
locals {
  rows            = csvdecode(file("${path.module}/prompts.csv"))
  unknown_columns = setsubtract(flatten([for row in local.rows : keys(row)]), ["name", "prompt", "face_swap"])
}

resource "mediagen_generation_group" "rows" {
  character_id = "char_ada"
  title        = "From a spreadsheet"

  prompts = {
    for row in local.rows : row.name => {
      prompt    = row.prompt
      face_swap = row.face_swap == "" ? null : tobool(lower(row.face_swap))
    }
  }

  lifecycle {
    precondition {
      condition     = length(local.unknown_columns) == 0
      error_message = "prompts.csv has unknown columns: ${join(", ", local.unknown_columns)}."
    }
  }
}
