variable "slice" {
  description = "Name of the file in organization/."
  type        = string
  default     = "000"
}

# Refuses another slice's state, whose media would be deleted.
resource "terraform_data" "slice" {
  triggers_replace = var.slice

  lifecycle {
    prevent_destroy = true
  }
}

locals {
  characters = yamldecode(file("${path.module}/organization/${var.slice}.yaml"))
}
