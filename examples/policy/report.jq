# What a plan buys and deletes, as Markdown for a review:
#
#   terraform show -json mediagen.tfplan | jq -r -f report.jq
#
# With --arg as numbers it is the JSON of GitLab's report on a merge request: what is bought,
# what else changes, what is deleted. What the plan does not know yet counts as one.
#
# It reads only what the guide "The JSON of a plan" promises, counts like purchases.jq, and
# never writes more than 60,000 characters: a comment on GitHub takes 65,536.

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

def deletes: any(.actions[]; . == "delete");
def cut($most): if length > $most then .[:$most - 1] + "…" else . end;
def cell: tostring | cut(200) | gsub("[\\r\\n]+"; " ") | gsub("\\|"; "\\|") | gsub("`"; "'");
def some: if length > 5 then .[:5] + ["and \(length - 5) more"] else . end | join(", ");
def counted($one; $many): if . == 1 then "1 \($one)" else "\(.) \($many)" end;
def noun($type):
  if $type == "mediagen_generation_group" then ["prompt", "prompts"]
  elif $type | endswith("_training") then ["training", "trainings"]
  elif $type == "mediagen_dataset" then ["dataset", "datasets"]
  else ["image", "images"] end;
def count($type): noun($type) as [$one, $many] | counted($one; $many);
def answers: ["mediagen_chat_completion", "mediagen_vision_completion", "mediagen_media_categorization"];

# Keys of the generations that are deleted: their ids are in no element afterwards.
def deleted_keys:
  (if deletes then .before else .after end).deletion_policy as $policy
  | (if deletes then [] else [(.after.generations // {})[] | .id?] end) as $ids
  | (.after_unknown.generations == true) as $open
  | if $policy != "delete" or $open then [] else
      [(.before.generations // {}) | to_entries[]
      | select(.value.id? != null and (.value.id as $id | $ids | index([$id]) == null)) | .key]
    end;

# Why each prompt is bought: by what was there before.
def why_bought:
  .before as $before | .after as $after
  | [(.after_unknown.generations? // {}) | objects | to_entries[] | select(.value == true) | .key as $key
    | {$key, reason: (
        if ($before.prompts // {} | has($key) | not) then "added"
        elif ($before.generations // {} | has($key) | not) then "gone"
        elif $before.prompts[$key] == $after.prompts[$key] then "tried again"
        elif ($before.prompts[$key] | del(.take)) == ($after.prompts[$key] | del(.take)) then "taken again"
        else "changed" end)}]
  | group_by(.reason) | map("\(.[0].reason): \(map(.key | cell) | some)");

def why:
  if deletes and creates then ["replaced"]
  elif deletes then ["destroyed"]
  else (if .importing? != null then ["imported"] else [] end)
    + (if creates then ["new"] else why_bought end)
    + ((.after.prompts? // {}) as $wanted
      | [.deleted[] | select(. as $key | $wanted | has($key) | not) | cell]
      | if length == 0 then [] else ["removed: \(some)"] end)
  end | join("; ") | cut(400);

def rows:
  [(.resource_changes // [])[] | .type as $type | select($type | startswith("mediagen_"))
  | (.address + (if .deposed? != null then " (deposed)" else "" end)) as $address | .change
  | ([.after.purchases?, .after_unknown.purchases?] | any(. != null)) as $counts
  | (if $type == "mediagen_generation_group" then deleted_keys else [] end) as $deleted
  | .deleted = $deleted
  | . as $change
  | {
      $address,
      $type,
      purchases: (if $counts then purchases($type) else 0 end),
      credits: (if $counts then credits else 0 end),
      answers: (if (answers | index([$type]) != null) and .after_unknown.id == true then 1 else 0 end),
      generations: ($deleted | length),
      pictures: ([$deleted[] as $key | $change.before.result_urls[$key]? // [] | length] | add // 0),
      character: ($type == "mediagen_character" and deletes and .before.deletion_policy == "delete"),
      cancels: (($type | endswith("_lora_training")) and deletes and .before != null and .before.succeeded == null),
      unconfirmed: (if .before.id? // "" | startswith("unconfirmed-")
        then [.before.unconfirmed_count // 1, 1] | max else .before.unconfirmed_count? // 0 end),
      $change
    }
  | select(.purchases != 0 or .answers > 0 or .generations > 0 or .character or .cancels or .unconfirmed > 0)];

def deletion: [
    (select(.generations > 0) | .generations | counted("generation"; "generations")),
    (select(.pictures > 0) | .pictures | counted("picture"; "pictures")),
    (select(.character == true) | "the character"),
    (select(.cancels == true) | "stops the training if it runs")
  ] | join(", ");
def purchase: [
    (select(.purchases != 0) | .type as $type | .purchases | count($type)),
    (select(.answers > 0) | "asks a model")
  ] | join(", ");

def bought: group_by(noun(.type)) | map(select(any(.purchases != 0)) | .[0].type as $type
  | map(.purchases) | total | count($type)) | if length == 0 then ["nothing"] else . end | join(" and ");
def summary: [
    "buys \(bought)" + (map(select(.purchases != 0)) | if length == 0 then ""
      else map(.credits) | total | if . == "unknown" then ", for credits that the plan does not tell"
      else " for at most \(counted("credit"; "credits"))" end end),
    (map(.answers) | add // 0 | select(. > 0) | "makes \(counted("call to a model"; "calls to models"))"),
    (map(.generations) | add // 0 | select(. > 0) | "deletes \(counted("generation"; "generations"))")
      + (map(.pictures) | add // 0 | if . > 0 then " with \(counted("picture"; "pictures"))" else "" end),
    (map(select(.character)) | length | select(. > 0) | "deletes \(counted("character"; "characters"))"),
    (map(.unconfirmed) | add // 0 | select(. > 0) | "\(.) unconfirmed")
  ] | join("; ");

def numbers($rows): {
    create: ($rows | map(.purchases | if . == "unknown" then 1 else . end) | add // 0),
    update: ([(.resource_changes // [])[] | select((.type | startswith("mediagen_")) and .change.actions == ["update"])
      | .address] - [$rows[].address] | length),
    delete: ($rows | map(.generations + (if .character then 1 else 0 end)) | add // 0)
  };
def report($rows): .errored as $errored | 40 as $most
| "**The plan \($rows | summary).**",
  (if $errored then "\nThe plan has failed, and does not tell all that it buys." else empty end),
  (if $rows == [] then empty else
    "\n| resource | buys | credits | deletes at the service | why |\n|---|---|---|---|---|",
    ($rows[:$most][] | "| `\(.address | cell)` | \(purchase) | \(if .purchases == 0 then "" else .credits end) | \(deletion) | \(.change | why) |"),
    ($rows | length - $most | select(. > 0) | "\n… and \(counted("resource"; "resources")) more.")
  end);

rows as $rows | if $ARGS.named.as == "numbers" then numbers($rows) else report($rows) end
