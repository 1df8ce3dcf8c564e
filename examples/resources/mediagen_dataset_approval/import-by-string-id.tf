import {
  to = mediagen_dataset_approval.ada
  id = "char_ada"
}
