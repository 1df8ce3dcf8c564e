import {
  to = mediagen_dataset.lead
  id = "char_ada/dataset_000001"
}
