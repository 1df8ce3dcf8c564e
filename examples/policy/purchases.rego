# A policy for Open Policy Agent, on the JSON of a plan:
#
#   terraform show -json mediagen.tfplan > plan.json
#   opa eval --fail-defined --data purchases.rego --input plan.json 'data.mediagen.purchases.deny[_]'
#
# Credits are spent only by changes that create or update, where the id of a
# training, dataset, image or regeneration, or an element of a group's generations,
# is not known before the apply.
package mediagen.purchases

# What one apply may buy, and what you pay.
max_purchases := 50

max_credits := 250

prices := {"generation": 1, "training": 100, "dataset": 20, "image": 1}

deny contains "The plan has failed, so it does not tell what it buys." if input.errored

deny contains sprintf("%s: its prompts are not known yet, so nobody knows how many it buys.", [address]) if some address in unknown

deny contains sprintf("The plan buys %d, and %d are allowed.", [bought, max_purchases]) if bought > max_purchases

deny contains sprintf("The plan costs %v credits, and %v are allowed.", [credits, max_credits]) if credits > max_credits

bought := count(generations) + count(trainings) + count(datasets) + count(images)

credits := (count(generations) * prices.generation) + (count(trainings) * prices.training) + (count(datasets) * prices.dataset) + (count(images) * prices.image)

trainings contains change.address if {
	some change in changes
	change.type in {"mediagen_body_lora_training", "mediagen_face_lora_training"}
	change.change.after_unknown.id == true
}

datasets contains change.address if {
	some change in changes
	change.type == "mediagen_dataset"
	change.change.after_unknown.id == true
}

images contains change.address if {
	some change in changes
	change.type in {"mediagen_image", "mediagen_dataset_image_regeneration"}
	change.change.after_unknown.id == true
}

generations contains [change.address, key] if {
	some change in changes
	change.type == "mediagen_generation_group"
	some key, element in change.change.after_unknown.generations
	element == true
}

unknown contains change.address if {
	some change in changes
	change.type == "mediagen_generation_group"
	change.change.after_unknown.generations == true
}

changes contains change if {
	some change in input.resource_changes
	some action in change.change.actions
	action in {"create", "update"}
}
