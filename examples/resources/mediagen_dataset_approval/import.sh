# character_id
terraform import mediagen_dataset_approval.ada char_ada
