variable "approve" {
  description = "Whether somebody has looked at the images of the dataset. Nothing takes that back: it approves the dataset, and buys what needs it."
  type        = bool
  default     = false
}

variable "rejected" {
  description = "Ids of the dataset's images that are not good enough to train on."
  type        = set(string)
  default     = []
}
