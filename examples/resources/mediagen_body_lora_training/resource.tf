variable "training_round" {
  description = "Raise this to train the body LoRA again. Every round costs credits."
  type        = string
  default     = "1"
}

# Creating this costs credits, once. If a body training of the character is
# already running, it is adopted instead and costs nothing.
resource "mediagen_body_lora_training" "lead" {
  character_id = "char_ada"

  triggers = {
    round = var.training_round
  }

  timeouts = {
    create = "4h"
  }

  lifecycle {
    # A failed training is data, not an error: after an error the next apply would
    # destroy it and buy it again. The postcondition stops the apply and everything
    # that depends on the training, and buys nothing.
    postcondition {
      condition     = self.succeeded == true
      error_message = "The body LoRA of ${self.character_id} is not trained: status ${coalesce(self.status, "not given")}."
    }
  }
}
