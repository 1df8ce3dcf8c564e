import {
  to = mediagen_dataset.lead
  identity = {
    character_id = "char_ada"
    id           = "dataset_000001"
  }
}
