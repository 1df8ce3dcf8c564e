# The id is the character's.
terraform import mediagen_dataset_approval.ada char_ada
