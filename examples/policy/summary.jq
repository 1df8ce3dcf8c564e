# One JSON of counts and one sentence, of a saved plan or of a state:
#
#   terraform show -json mediagen.tfplan | jq -f summary.jq
#
# What the state has: bought and credits in the lives of its objects, failed, unconfirmed and
# running. open: purchases in the log of which nobody knows the end, null unless the
# configuration has a mediagen_purchases. planned: what an apply buys, null if the plan does not
# tell. changes: what it changes at all. found: whether somebody should look. No text of
# anybody else is in it.

def resources: .resources[]?, (.child_modules[]? | resources);
def creates: any(.actions[]; . == "create");
def purchases: if .after.purchases != null then .after.purchases - (if creates then 0 else .before.purchases // 0 end)
  elif .after_unknown.purchases == true then null else 0 end;
def sum(f): map(f // 0) | add // 0 | . * 1000000 | round / 1000000;
def is_unconfirmed: .id? // "" | tostring | startswith("unconfirmed-");
def counted($one; $many): if . == 1 then "1 \($one)" else "\(.) \($many)" end;

(.values // .prior_state.values // {}) as $state
| [$state.root_module // {} | resources | select(.type | startswith("mediagen_"))] as $all
| [$all[] | select(.mode == "managed") | .values] as $ours
| [$all[] | select(.mode == "data" and .type == "mediagen_purchases") | .values.purchases // []] as $logs
| [(.resource_changes // [])[] | select(.type | startswith("mediagen_")) | .change | purchases] as $planned
| {
    bought: ($ours | sum(.purchases)),
    credits: ($ours | sum(.cost)),
    failed: (($ours | sum(.failed_count)) + ([$ours[] | select(.succeeded == false)] | length)),
    unconfirmed: ($ours | sum([.unconfirmed_count // 0, (if is_unconfirmed then 1 else 0 end)] | max)),
    running: (($ours | sum(.pending_count))
      + ([$ours[] | select(has("succeeded") and .succeeded == null and (is_unconfirmed | not))] | length)),
    open: (if $logs == [] then null else [$logs[][] | select(.open) | .request] | unique | length end),
    planned: (if .errored or any($planned[]; . == null) then null else $planned | add // 0 end),
    changes: ([((.resource_changes // [])[] | .change.actions), ((.output_changes // {})[] | .actions)]
      | map(select(. != ["no-op"] and . != ["read"])) | length)
  }
| .found = (.planned != 0 or .changes + .failed + .unconfirmed + (.open // 0) > 0)
| .sentence = ([
    (if .planned == null then "the plan has failed or does not tell what it buys"
      elif .planned > 0 then "an apply buys \(.planned | counted("thing"; "things"))" else empty end),
    (.changes | select(. > 0) | "\(counted("object or output differs"; "objects or outputs differ"))"),
    (.failed | select(. > 0) | "\(counted("has"; "have")) failed"),
    (.unconfirmed | select(. > 0) | "\(counted("is"; "are")) unconfirmed"),
    (.running | select(. > 0) | "\(counted("still runs"; "still run"))"),
    (.open | select((. // 0) > 0) | "\(counted("is"; "are")) open in the log"),
    "\(.bought) bought so far, for \(.credits) credits"
  ] | "Mediagen: \(join("; ")).")
