ephemeral "mediagen_access_token" "short_lived" {}

# Another client: here this provider again.
provider "mediagen" {
  alias        = "without_key"
  access_token = ephemeral.mediagen_access_token.short_lived.access_token
}

data "mediagen_characters" "all" {
  provider = mediagen.without_key
}

output "names" {
  value = data.mediagen_characters.all.characters[*].name
}
