variable "characters_file" {
  description = "YAML file that describes the characters, see characters.yaml."
  type        = string
  default     = "characters.yaml"
}

variable "extra_prompts" {
  description = "More prompts by character and name, as in { ada = { beach = \"on the beach\" } }. Only these are bought when they are added."
  type        = map(map(string))
  default     = {}
}

variable "retrain" {
  description = "Change it to train every body LoRA again, which costs credits."
  type        = string
  default     = "1"
}

variable "budget" {
  description = "Credits that the pictures of a character may cost in their life, by the prices of the provider; null allows all."
  type        = number
  default     = null
}
