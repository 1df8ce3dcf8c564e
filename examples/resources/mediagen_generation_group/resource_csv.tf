# A prompt for each row of a spreadsheet, saved as prompts.csv:
#
#   name,prompt,face_swap
#   bridge,"On a bridge at night, seen from below",TRUE
#   garden,In a garden after the rain,
#
# All cells are text, so an empty one is no bool: null lets the service decide.
resource "mediagen_generation_group" "rows" {
  character_id = "char_ada"
  title        = "From a spreadsheet"

  prompts = {
    for row in csvdecode(file("${path.module}/prompts.csv")) : row.name => {
      prompt    = row.prompt
      face_swap = row.face_swap == "" ? null : tobool(lower(row.face_swap))
    }
  }
}
