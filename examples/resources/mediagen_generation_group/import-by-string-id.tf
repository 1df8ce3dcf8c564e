# A function within an import block needs Terraform 1.6.
import {
  to = mediagen_generation_group.portraits
  id = jsonencode({
    morning = "gen_000001"
    stage   = "gen_000002"
  })
}
