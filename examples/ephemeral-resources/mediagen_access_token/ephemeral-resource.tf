# A token for this run, stored in neither plan nor state.
ephemeral "mediagen_access_token" "short_lived" {}

# Another client of the service gets the token instead of the API key. Here that
# is this provider again; any other provider works the same way.
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
