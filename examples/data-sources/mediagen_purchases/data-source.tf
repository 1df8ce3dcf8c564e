# What no state knows, with the id that imports it.
data "mediagen_purchases" "open" {
  path      = "${path.module}/purchases.jsonl"
  open_only = true
}

output "lost" {
  value = { for purchase in data.mediagen_purchases.open.purchases : purchase.request => purchase.import_id }
}
