data "mediagen_generation" "morning" {
  id = "gen_000001"
}

output "addresses" {
  value = data.mediagen_generation.morning.result_urls
}
