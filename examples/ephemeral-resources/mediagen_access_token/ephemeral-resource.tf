# A token that lives as long as the run and is in neither plan nor state.
ephemeral "mediagen_access_token" "short_lived" {}

# Another consumer of the service gets the token instead of the key that it was
# exchanged for: here this provider once more, in the same way any other one.
provider "mediagen" {
  alias        = "without_key"
  access_token = ephemeral.mediagen_access_token.short_lived.access_token
}

data "mediagen_characters" "all" {
  provider = mediagen.without_key
}

output "characters" {
  value = data.mediagen_characters.all.characters[*].name
}
