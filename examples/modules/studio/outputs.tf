output "characters" {
  description = "Character ids by name in the YAML file."
  value       = { for name, character in mediagen_character.this : name => character.id }
}

output "results" {
  description = "Addresses of the results by CHARACTER/SERIES/KEY; empty lists where there are none."
  value = tomap(merge([
    for group, resource in mediagen_generation_group.this : {
      for key, addresses in resource.result_urls : "${group}/${key}" => addresses
    }
  ]...))
}

output "cost" {
  description = "Credits that all trainings and pictures were planned to cost so far: at most. null without prices."
  value       = try(sum(concat(values(mediagen_body_lora_training.this)[*].cost, values(mediagen_generation_group.this)[*].cost)), null)
}

output "failures" {
  description = "Why prompts have no results, by CHARACTER/SERIES/KEY. A failure is data: check that this is empty."
  value = tomap(merge([
    for group, resource in mediagen_generation_group.this : {
      for key, generation in resource.generations : "${group}/${key}" => generation.error if generation.error != null
    }
  ]...))
}

output "pending" {
  description = "Number of generations that have not ended."
  value       = sum(concat([0], [for group in mediagen_generation_group.this : group.pending_count]))
}

output "untrained" {
  description = "Characters whose body LoRA training has not succeeded, or not ended."
  value       = [for name, training in mediagen_body_lora_training.this : name if training.succeeded != true]
}
