# A JSON object that maps your keys to generation ids. The group follows from the generations.
terraform import mediagen_generation_group.portraits '{"morning":"gen_000001","stage":"gen_000002"}'
