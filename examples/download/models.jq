# Which pictures of which client are from which model, a line each: the label "client", the
# picture, the service that has rendered it, and the trainings of its character.
#
#	find portraits -name .mediagen.json -exec jq -r --arg record {} -f models.jq {} \;
($ARGS.named.record | rtrimstr(".mediagen.json")) as $directory
| .files | to_entries[] | .value as $picture
| [
    ($picture.labels.client // "no client"),
    $directory + .key,
    ($picture.service // "unknown"),
    ([$picture.trainings[]?.job] | join(" "))
  ]
| @tsv
