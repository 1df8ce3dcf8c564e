# The id is the character's id and the id of the job that generated the dataset,
# separated by a slash. Nothing tells the job again: it is taken as it is.
terraform import mediagen_dataset.lead char_ada/dataset_000001
