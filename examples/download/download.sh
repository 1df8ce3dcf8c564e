#!/bin/sh
# For CLIs without actions, after each apply: TERRAFORM=tofu ./download.sh
# File names have the id of the generation: a changed prompt adds a file.
#
# The service writes addresses and ids, and whoever writes prompts their keys. None of them is
# an option of curl, a pattern or a path: an address is one argument after --, and of a name
# only letters, digits, _ and - stay. Addresses and redirects are https;
# DOWNLOAD_PROTOCOLS=http,https admits a mock service.
set -eu
cli=${TERRAFORM:-terraform}
protocols=${DOWNLOAD_PROTOCOLS:-https}

mkdir -p portraits
"$cli" apply -refresh-only -auto-approve >&2 # fresh addresses
outputs=$("$cli" output -json)
results=$(printf '%s\n' "$outputs" | jq -r '
  def safe: tostring | gsub("[^A-Za-z0-9_-]+"; "_") | .[:80];
  .ids.value as $ids | .results.value | to_entries[] | .key as $key | (.value // []) | to_entries[]
  | "\($key | safe)-\($ids[$key] | safe)\(if .key > 0 then "-\(.key + 1)" else "" end) \(.value | @json)"')

# A line has a name, and an address as JSON, in which a line break is no line break.
failed=0
while read -r name encoded; do
  if [ -z "$name" ] || [ -e "portraits/$name.png" ]; then continue; fi
  address=$(printf '%s\n' "$encoded" | jq -r .)
  if curl -fsSL --globoff --proto "=$protocols" --proto-redir "=$protocols" --max-filesize 1G \
    -o "portraits/$name.part" -- "$address"; then
    mv "portraits/$name.part" "portraits/$name.png"
  else
    echo "$name could not be downloaded." >&2
    failed=1
  fi
done <<EOL
$results
EOL
exit "$failed"
