# What an apply of a plan may buy, at most:
#
#   terraform show -json mediagen.tfplan | jq -f purchases.jq
#
# Credits are spent only by changes that create or update, where the id of a
# training, dataset, image or regeneration, or an element of a group's generations,
# is not known before the apply.
# If all of generations is, or if the plan has failed, nobody knows how many.

def bought:
  .change.after_unknown as $unknown
  | if .type != "mediagen_generation_group" then [select($unknown.id == true) | "id"]
    elif $unknown.generations == true then "unknown"
    else [$unknown.generations // {} | to_entries[] | select(.value == true) | .key]
    end;

.errored as $errored
| [(.resource_changes // [])[]
  | select(.type | IN("mediagen_generation_group", "mediagen_body_lora_training", "mediagen_face_lora_training", "mediagen_dataset",
      "mediagen_image", "mediagen_dataset_image_regeneration"))
  | select(.change.actions | any(IN("create", "update")))
  | {(.address): bought} | select(any(. != []))]
| add // {}
| {purchases: (if $errored or any(. == "unknown") then "unknown" else map(length) | add // 0 end), bought: .}
