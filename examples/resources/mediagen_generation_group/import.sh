# Your keys and the generations' ids, as JSON; the group follows from them.
terraform import mediagen_generation_group.portraits '{"morning":"gen_000001","stage":"gen_000002"}'
