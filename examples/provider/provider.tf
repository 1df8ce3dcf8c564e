terraform {
  required_providers {
    mediagen = {
      source = "mediagen/mediagen"
    }
  }
}

# The environment provides address and credential: MEDIAGEN_BASE_URL and
# MEDIAGEN_API_KEY. A key in a variable would end up in saved plans.
provider "mediagen" {
  max_requests_per_minute = 60
}
