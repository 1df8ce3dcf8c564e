import {
  to = mediagen_generation_group.portraits
  id = jsonencode({ morning = "gen_000001" })
}
