# purchases.jq for Open Policy Agent:
#
#   terraform show -json mediagen.tfplan > plan.json
#   opa eval --fail-defined --data purchases.rego --input plan.json 'data.mediagen.purchases.deny[_]'
package mediagen.purchases

limit := 50

deny contains "The plan does not tell all that it buys." if not tells
deny contains sprintf("The plan buys %v; the limit is %v.", [total("purchases"), limit]) if { tells; total("purchases") > limit }

tells if { not input.errored; total("purchases") != "unknown" }

told contains sprintf("%s: purchases %v, credits %v", [one.address, one.purchases, one.credits]) if some one in bought
told contains sprintf("all: purchases %v, credits %v", [total("purchases"), total("credits")])

total(number) := "unknown" if "unknown" in [one[number] | some one in bought]
else := round(sum([one[number] | some one in bought]) * 1000000) / 1000000

bought contains {"address": planned.address, "purchases": number, "credits": credits(planned.change)} if {
	some planned in input.resource_changes
	startswith(planned.type, "mediagen_")
	some numbers in [planned.change.after, planned.change.after_unknown]
	numbers.purchases != null
	number := purchases(planned.type, planned.change)
	number != 0
}

purchases(type, change) := more(change, "purchases") if not change.after_unknown.purchases
else := "unknown" if { not "create" in change.actions }
else := "unknown" if not is_object(change.before)
else := 1 if type != "mediagen_generation_group"
else := count(object.union(change.after.prompts, change.after_unknown.prompts)) if change.after_unknown.prompts != true
else := "unknown"

# What was bought without a price is in the cost by today's: only the new part is bought.
credits(change) := change.after.cost * more(change, "purchases") / change.after.purchases if {
	not "create" in change.actions
	not is_number(change.before.cost)
	is_number(change.after.cost)
	change.after.purchases > 0
} else := more(change, "cost")

more(change, of) := change.after[of] - former(change, of) if is_number(change.after[of])
else := "unknown"

former(change, of) := change.before[of] if { not "create" in change.actions; is_number(change.before[of]) }
else := 0
