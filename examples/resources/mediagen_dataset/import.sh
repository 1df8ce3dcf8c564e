# character_id/job_id; the job is not checked.
terraform import mediagen_dataset.lead char_ada/dataset_000001
