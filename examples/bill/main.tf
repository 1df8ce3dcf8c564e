# The bill of one client for one month, from the purchase log alone. What was bought for
# the client has the label: `labels` of its resource, or `default_labels` of the provider.
terraform {
  required_version = ">= 1.5"

  required_providers {
    mediagen = {
      source  = "mediagen/mediagen"
      version = "~> 0.1"
    }
  }
}

provider "mediagen" {}

variable "client" {
  description = "The value of the label client."
  type        = string
  default     = "acme"
}

variable "month" {
  description = "As in 2026-11."
  type        = string
  default     = "2026-11"
}

data "mediagen_purchases" "client" {
  path   = "${path.module}/purchases.jsonl"
  labels = { client = var.client }
}

output "credits" {
  value = sum(concat([0], [
    for purchase in data.mediagen_purchases.client.purchases : coalesce(purchase.credits, 0)
    if startswith(coalesce(purchase.time, "-"), var.month)
  ]))
}
