output "results" {
  description = "Result addresses by character and prompt."
  value       = { for name, group in mediagen_generation_group.this : name => group.result_urls }
}

output "cost" {
  description = "Credits that all trainings and pictures were planned to cost so far: at most. null without prices."
  value       = try(sum(concat(values(mediagen_body_lora_training.this)[*].cost, values(mediagen_generation_group.this)[*].cost)), null)
}

output "credits_deducted" {
  description = "Credits that trainings and generations cost, by character."
  value = {
    for name in keys(local.characters) : name => {
      training    = mediagen_body_lora_training.this[name].credits_deducted
      generations = mediagen_generation_group.this[name].credits_deducted
    }
  }
}

output "remaining_balance" {
  description = "Credits that were left after the last batch of each character."
  value       = { for name, group in mediagen_generation_group.this : name => group.remaining_balance }
}
