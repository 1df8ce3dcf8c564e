import {
  to = mediagen_dataset_approval.ada
  identity = {
    character_id = "char_ada"
  }
}
