# In CI the run authenticates to your backend, which holds the API key and
# returns a short-lived access token.
#
#   MEDIAGEN_BASE_URL                https://api.example.com/v2
#   MEDIAGEN_TOKEN_PROVIDER_URL      https://backend.example.com/mediagen/token
#   MEDIAGEN_TOKEN_PROVIDER_HEADERS  {"Authorization": "Bearer <the CI's own token>"}
#
# On GitHub, GitLab and HCP Terraform, MEDIAGEN_USE_OIDC in place of the last one
# needs no secret at all.
#
# No secret is in this configuration, in plans or in the state.
terraform {
  required_version = ">= 1.10" # OpenTofu 1.11

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

provider "mediagen" {}

# The token that the provider itself uses, for other clients in the same run.
ephemeral "mediagen_access_token" "run" {}

# Another provider uses it as its credential. Here that is this provider again,
# with its own rate limit; it sends no request to your backend.
provider "mediagen" {
  alias        = "reports"
  access_token = ephemeral.mediagen_access_token.run.access_token

  max_requests_per_minute = 60
}

data "mediagen_characters" "all" {
  provider = mediagen.reports
}

# A program gets it in its environment. Terraform hides the output of the program.
resource "terraform_data" "report" {
  triggers_replace = data.mediagen_characters.all.characters[*].updated_at

  provisioner "local-exec" {
    command     = "./report.sh"
    working_dir = path.module
    environment = {
      MEDIAGEN_ACCESS_TOKEN = ephemeral.mediagen_access_token.run.access_token
    }
  }
}
