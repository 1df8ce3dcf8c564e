# What a plan buys and loses, as Markdown for a review:
#
#   terraform show -json mediagen.tfplan | jq -r -f report.jq
#
# The first line answers three questions: does the plan hold, what does it buy for how much,
# what is lost for good. The second has what is free. A table says why; at the end stand the
# moved blocks of what is only renamed, and would be bought again.
#
# With --arg as numbers it is the JSON of GitLab's report on a merge request: what is bought,
# what else changes, what is deleted. What the plan does not know yet counts as one; a plan
# that has failed has no numbers.
#
# It reads what the guide "The JSON of a plan" promises, and of the CLI's own members checks,
# previous addresses and prices; it counts like purchases.jq, and never writes more than 60,000
# characters: a comment on GitHub takes 65,536.

# Foreign text (an address, a key) is written as code, in which no link, picture, mention or
# tag lives. What could end the code or a cell of a table, and what is invisible or turns the
# direction of the text after it, is replaced.
def foreign($most): tostring
  | gsub("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}]"; "�") | gsub("`"; "'") | gsub("\\|"; "¦")
  | if length > $most then .[:$most - 1] + "…" else . end
  | "`\(if . == "" then "(empty)" else . end)`";
def address: foreign(120);
def key: foreign(30);

def creates: any(.actions[]; . == "create");
def deletes: any(.actions[]; . == "delete");
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

def rounded: . * 1000000 | round / 1000000;
def total: if any(. == "unknown") then "unknown" else (add // 0) | rounded end;

def some: if length > 3 then .[:3] + ["and \(length - 3) more"] else . end | join(", ");
def counted($one; $many): if . == 1 then "1 \($one)" else "\(.) \($many)" end;
def counted($one): counted($one; $one + "s");
def kind($type):
  if $type == "mediagen_generation_group" then "generation"
  elif $type | endswith("_training") then "training"
  elif $type == "mediagen_dataset" then "dataset"
  else "image" end;
def noun($type): kind($type) | if . == "generation" then "prompt" else . end;
def asks_a_model: ["mediagen_chat_completion", "mediagen_vision_completion", "mediagen_media_categorization"] as $types
  | .type as $type | $types | index([$type]) != null;
def thing($type): {
    mediagen_generation_group: "group",
    mediagen_character: "character",
    mediagen_face_image: "face image",
    mediagen_body_image: "body image",
    mediagen_body_lora_training: "training",
    mediagen_face_lora_training: "training",
    mediagen_dataset: "dataset",
    mediagen_image: "image"
  }[$type] // "other object";
def things: group_by(thing(.type)) | map(thing(.[0].type) as $one | length | counted($one)) | join(" and ");

# The prices of the configuration; where it has several, the highest.
def prices: reduce ((.configuration.provider_config? // {})[] | select(.full_name? // "" | endswith("/mediagen"))
    | .expressions.prices.constant_value? | objects | to_entries[] | select(.value | type == "number")) as $price
  ({}; .[$price.key] = ([.[$price.key] // 0, $price.value] | max));

# A plan does not know what a replacement costs: about what the object has cost so far.
def estimate($kind; $prices): .before as $before
  | if ($before.cost? | type) == "number" and ($before.purchases? // 0) > 0 then $before.cost / $before.purchases
    else $prices[$kind] end;

# Keys of a group whose generations are in no element afterwards.
def vanished:
  (if deletes then [] else [(.after.generations // {})[] | .id?] end) as $ids
  | if (deletes | not) and .after_unknown.generations == true then [] else
      [(.before.generations? // {}) | to_entries[]
      | select(.value.id? != null and (.value.id as $id | $ids | index([$id]) == null)) | .key]
    end;
def policy: (if deletes then .before else .after end).deletion_policy;
def renamed: .before as $before | .after as $after
  | ([($before.generations? // {}) | to_entries[] | select(.value.id? != null) | {(.value.id): .key}]
      | add // {}) as $keys
  | [($after.generations? // {}) | to_entries[] | $keys[.value.id? // ""] as $was
      | select($was != null and $was != .key)]
  | length;

# Why each prompt is bought: by what was there before.
def bought_keys: [(.after_unknown.generations? // {}) | objects | to_entries[] | select(.value == true) | .key];
def why_bought:
  .before as $before | .after as $after
  | [bought_keys[] | . as $key
    | {$key, reason: (
        if ($before.prompts // {} | has($key) | not) then "added"
        elif ($before.generations // {} | has($key) | not) then "gone"
        elif $before.prompts[$key] == $after.prompts[$key] then "tried again"
        elif ($before.prompts[$key] | del(.take)) == ($after.prompts[$key] | del(.take)) then "taken again"
        else "changed" end)}]
  | group_by(.reason) | map("\(.[0].reason): \(map(.key | key) | some)");

def why:
  if deletes and creates then ["replaced"]
  elif deletes then ["destroyed"]
  else (if .importing? != null then ["imported"] else [] end)
    + (if creates then ["new"] else why_bought end)
    + ((.after.prompts? // {}) as $wanted
      | [.deleted[] | select(. as $key | $wanted | has($key) | not) | key]
      | if length == 0 then [] else ["removed: \(some)"] end)
  end | join("; ");

# All changes of ours, with what each buys and loses.
def changes: prices as $prices
  | [(.resource_changes // [])[] | .type as $type | select($type | startswith("mediagen_"))
  | . as $resource | .change | . as $change
  | ([.after.purchases?, .after_unknown.purchases?] | any(. != null)) as $counts
  | (if $counts then purchases($type) else 0 end) as $purchases
  | (if $counts then credits else 0 end) as $credits
  | (if $credits == "unknown" and creates and $purchases != "unknown"
      then estimate(kind($type); $prices) else null end) as $each
  | (if $type == "mediagen_generation_group" and policy == "delete" then vanished else [] end) as $deleted
  | {
      address: ($resource.address + (if $resource.deposed? != null then " (deposed)" else "" end)),
      moved: ($resource.previous_address? != null),
      $type,
      $purchases,
      credits: (if $each != null then $purchases * $each | rounded else $credits end),
      about: ($each != null),
      answers: (if ($resource | asks_a_model) and .after_unknown.id == true then 1 else 0 end),
      generations: ($deleted | length),
      pictures: ([$deleted[] as $key | $change.before.result_urls[$key]? // [] | length] | add // 0),
      character: ($type == "mediagen_character" and deletes and .before.deletion_policy == "delete"),
      cancels: (($type | endswith("_lora_training")) and deletes and .before != null and .before.succeeded == null),
      unconfirmed: (if .before.id? // "" | tostring | startswith("unconfirmed-")
        then [.before.unconfirmed_count // 1, 1] | max else .before.unconfirmed_count? // 0 end),
      change: ($change + {deleted: $deleted})
    }
  | .loses = (.generations > 0 or .character or .cancels)];
def of_money: .purchases != 0 or .answers > 0 or .loses or .unconfirmed > 0;

def loss: [
    (select(.generations > 0) | .generations | counted("generation")),
    (select(.pictures > 0) | .pictures | counted("picture")),
    (select(.character == true) | "the character"),
    (select(.cancels == true) | "stops the training if it runs")
  ] | join(", ");
def purchase: [
    (select(.purchases != 0) | .type as $type | .purchases | counted(noun($type))),
    (select(.answers > 0) | "asks a model")
  ] | join(", ");
def price: if .purchases == 0 then "" elif .about then "about \(.credits)" else "\(.credits)" end;

def sum(f): map(f) | add // 0;
def listed: if length < 2 then .[0] // "" else (.[:-1] | join(", ")) + " and " + .[-1] end;
def bought: map(select(.purchases != 0)) as $paid
  | ($paid | map(.credits) | total) as $credits
  | (if $paid == [] then "nothing" else
      ($paid | group_by(noun(.type))
        | map(.[0].type as $type | map(.purchases) | total | counted(noun($type))) | listed)
      + (if $credits == "unknown" then ", for credits that the plan does not tell"
        else " for \(if $paid | any(.about) then "about" else "at most" end) \($credits | counted("credit"))" end) end)
  + (sum(.answers) | if . == 0 then "" else ", and makes \(counted("call to a model"; "calls to models"))" end);
def lost: [
    (sum(.generations) | select(. > 0) | counted("generation"))
      + (sum(.pictures) | if . > 0 then " with \(counted("picture"))" else "" end),
    (map(select(.character)) | length | select(. > 0) | counted("character"))
  ] | listed;
def holds($plan): ([($plan.checks // [])[] | select(.status == "fail")] | length) as $failing
  | (if $plan.errored then "The plan has failed, and cannot be applied"
    elif $plan.complete == false then "The plan holds, for a part of the configuration alone"
    else "The plan holds" end)
  + (if $failing > 0 then ", and \($failing | counted("check fails"; "checks fail"))" else "" end);
def first_line($plan): (if $plan.errored then "As far as it tells, " else "" end) as $told | [
    holds($plan),
    $told + "it buys \(bought)",
    $told + (lost | if . == "" then "nothing is lost" else "it deletes \(.) for good" end),
    (map(select(.cancels)) | length | select(. > 0)
      | "it stops \(counted("training")) if still running, and the price is lost"),
    (sum(.unconfirmed) | select(. > 0) | "\(counted("purchase is"; "purchases are")) unconfirmed")
  ] | map((.[:1] | ascii_upcase) + .[1:]) | "**\(join(". ")).**";

# What costs nothing and loses nothing, of each kind how many.
def updated($attribute): map(select(.change | .actions == ["update"] and .before[$attribute] != .after[$attribute]));
def free($others; $failed):
  ["deletion_policy", "title", "labels"] as $named
  | . as $all
  | map(select(.change | deletes or .actions == ["forget"]) | select(.loses | not)) as $left
  | [
    (map(select(.change.importing? != null)) | select(. != []) | "imports \(things)"),
    ($left | map(select(asks_a_model | not)) | select(. != [])
      | "forgets \(things), and leaves at the service what is there"),
    ($left | map(select(asks_a_model)) | length | select(. > 0)
      | "forgets \(counted("answer of a model"; "answers of models"))"),
    ([.[].change | renamed] | add // 0 | select(. > 0) | "renames \(counted("key"))"),
    (map(select(.moved)) | select(. != []) | "moves \(things)"),
    (map(select(.purchases == 0 and .answers == 0 and (.change | creates and (deletes | not))))
      | select(. != []) | "creates \(things)"),
    ($named[] as $name | updated($name) | select(. != [])
      | "changes the \($name | gsub("_"; " ")) of \(things)"),
    (map(select(.change.actions == ["update"] and (of_money | not) and .moved == false and (.change | renamed) == 0
        and .change.importing? == null
        and (.change as $change | all($named[]; $change.before[.] == $change.after[.]))))
      | select(. != []) | "changes other settings of \(things)")
  ]
  + (if $others > 0
      then ["makes \($others | counted("change")) of other providers, which are not counted here"] else [] end)
  | if . != [] then "Beside that, free of credits, it \(join("; "))."
    elif $failed then "Beside that, nothing is known."
    else "Beside that, nothing is planned." end;

# What is bought in one object, and was in another that the plan gives up. Of a group that are
# its prompts, without their takes; of others what makes two purchases the same.
def given_up: select(.change | deletes and (creates | not))
  // select(.type == "mediagen_generation_group" and .change.actions == ["update"]);
def wares($side; $keys): .type as $type | .change[$side] as $object
  | if $type == "mediagen_generation_group" then $keys[] as $key
      | ($object.prompts? // {})[$key] | objects | del(.take)
      | [$type, $object.character_id, .] | tojson | {what: ., $key}
    else $object | objects | [$type, .character_id, .triggers?, .prompt?, .image_id?] | tojson
      | {what: ., key: null} end;
def renames:
  (reduce (.[] | . as $row | given_up | wares("before"; .change | vanished)
    | . + {address: $row.address, whole: ($row.change | deletes)}) as $old ({}; .[$old.what] //= $old)) as $old
  | [.[] | . as $row | select(.purchases != 0 and (.change | deletes | not))
    | wares("after"; .change | if creates then .after.prompts? // {} | keys else bought_keys end)
    | $old[.what] as $was | select($was != null and $was.address != $row.address)
    | {key, from: $was.address, to: $row.address, block: ($was.whole and ($row.change | creates))}];
def block: "moved {\n  from = \(.from)\n  to   = \(.to)\n}" | gsub("[\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}]"; "�");
def only_renamed: select(. != [])
  | (map(select(.block)) | unique_by(.from) | unique_by(.to) | map(select(.from + .to | length <= 500))) as $blocks
  | "\n**Only renamed?** \(length | counted("purchase has"; "purchases have")) an equal that this plan gives up:\n",
    (.[:10][] | (if .key != null then "\(.key | key) of " else "" end) as $of
      | "- \($of)\(.to | address), which was in \(.from | address)"),
    (length - 10 | select(. > 0) | "- and \(.) more"),
    (if $blocks == [] then "\nNo block moves a prompt from one group to another: leave it where it was, or pay again."
    else "\n`moved` blocks keep what is there, and buy nothing:\n\n```hcl", ($blocks[:10][] | block), "```" end);

def numbers($all; $rows): {
    create: ($rows | map(.purchases | if . == "unknown" then 1 else . end) | add // 0),
    update: ([$all[] | select(.change.actions == ["update"]) | .address] - [$rows[].address] | length),
    delete: ($rows | map(.generations + (if .character then 1 else 0 end)) | add // 0)
  };
def report($all; $rows): . as $plan | 40 as $most
  | ([(.resource_changes // [])[] | select((.type | startswith("mediagen_") | not) and .mode? != "data")
      | select(.change.actions != ["no-op"])] | length) as $others
  | ($all | renames) as $renamed
  | ($rows | first_line($plan)), "",
  ($all | free($others; $plan.errored == true))
    + ($renamed | length | if . == 0 then ""
        else " \(counted("purchase looks"; "purchases look")) only renamed: see below." end),
  (if $rows == [] then empty else
    "\n| resource | buys | credits | deletes at the service | why |\n|---|---|---|---|---|",
    ($rows[:$most][] | "| \(.address | address) | \(purchase) | \(price) | \(loss) | \(.change | why) |"),
    ($rows | length - $most | select(. > 0) | "\n… and \(counted("resource")) more.")
  end),
  ($renamed | only_renamed);

changes as $all | ($all | map(select(of_money))) as $rows
| if $ARGS.named.as != "numbers" then report($all; $rows)
  elif .errored then "The plan has failed.\n" | halt_error(1)
  else numbers($all; $rows) end
