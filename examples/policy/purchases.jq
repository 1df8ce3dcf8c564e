# What an apply of a plan buys at most, and for how many credits by the provider's prices:
#
#   terraform show -json mediagen.tfplan | jq -r --argjson limit 50 -f purchases.jq
#
# It fails if that is more than the limit, or if the plan does not tell. The numbers of a
# plan are those of a life, which a create begins. It does not know a replacement's.

def creates: any(.actions[]; . == "create");
def more($of): .after[$of] as $after
  | if $after == null then "unknown" else $after - (if creates then 0 else .before[$of] // 0 end) end;

# What was bought without a price is in the cost by today's: only the new part is bought.
def credits: .after as {$purchases, $cost}
  | if $cost == null or creates or .before.cost != null or ($purchases // 0) == 0 then more("cost")
    else $cost * more("purchases") / $purchases end;

def purchases($type): .after_unknown as $unknown
  | if $unknown.purchases != true then more("purchases")
    elif .before == null or (creates | not) then "unknown"
    elif $type != "mediagen_generation_group" then 1
    elif $unknown.prompts == true then "unknown"
    else .after.prompts + $unknown.prompts | length end;

def total: if any(. == "unknown") then "unknown" else (add // 0) * 1000000 | round / 1000000 end;
def told($what): "\($what): purchases \(map(.purchases) | total), credits \(map(.credits) | total)";

.errored as $errored
| [(.resource_changes // [])[] | .address as $address | .type as $type | .change
  | select(($type | startswith("mediagen_")) and (.after, .after_unknown).purchases != null)
  | {address: $address, purchases: purchases($type), credits: credits} | select(.purchases != 0)]
| (.[] | [.] | told(.[0].address)), told("all"),
  ((map(.purchases) | total) as $bought | ($ARGS.named.limit // infinite | tonumber) as $limit
  | if $errored or $bought == "unknown" then "The plan does not tell all that it buys.\n" | halt_error(1)
    elif $bought > $limit then "The plan buys \($bought); the limit is \($limit).\n" | halt_error(1)
    else empty end)
