terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

# The address and the credential come from the environment: MEDIAGEN_BASE_URL
# and MEDIAGEN_API_KEY. A key in a variable would end up in saved plans.
provider "mediagen" {
  max_requests_per_minute = 60
}
