variable "characters_file" {
  description = "Path of a YAML file that describes the characters and what to generate of them, see characters.yaml."
  type        = string
}

variable "faces_directory" {
  description = "Directory of the face images that the YAML file names."
  type        = string
}

variable "retrain" {
  description = "Change it to train every body LoRA again, which costs credits."
  type        = string
  default     = "1"
}

variable "max_attempts" {
  description = "How often a prompt may be submitted in all. Raise it to submit failed prompts again, which costs credits."
  type        = number
  default     = 1
}

variable "wait_for_completion" {
  description = "Whether an apply waits until all trainings and generations have ended. A prompt that uses a LoRA needs its training to have ended."
  type        = bool
  default     = true
}

variable "budget" {
  description = "Credits that the pictures of a series may cost in their life, by the prices of the provider; null allows all."
  type        = number
  default     = null
}
