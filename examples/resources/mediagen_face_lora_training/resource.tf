# Creating this costs credits, once. If a face training of the character is already
# running, it is adopted instead and costs nothing.
resource "mediagen_face_lora_training" "grace" {
  character_id = "char_grace"

  timeouts = {
    create = "4h"
  }
}

output "face_lora" {
  value = mediagen_face_lora_training.grace.succeeded
}
