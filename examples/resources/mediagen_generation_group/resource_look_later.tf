# The apply submits and returns. Each later plan shows how far the generations
# are; terraform apply -refresh-only stores the results once they have ended.
resource "mediagen_generation_group" "overnight" {
  title               = "Overnight"
  wait_for_completion = false

  prompts = {
    harbour = { prompt = "A harbour at night, long exposure" }
  }
}
