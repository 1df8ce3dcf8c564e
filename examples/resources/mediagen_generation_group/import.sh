# A JSON object of your names and the ids of the generations. The group is that of the generations.
terraform import mediagen_generation_group.portraits '{"morning":"gen_000001","stage":"gen_000002"}'
