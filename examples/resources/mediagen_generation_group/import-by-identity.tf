import {
  to = mediagen_generation_group.portraits
  identity = {
    generations = ["morning=gen_000001", "stage=gen_000002"]
  }
}
