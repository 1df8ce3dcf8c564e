resource "mediagen_face_lora_training" "grace" {
  character_id = "char_grace"

  timeouts = {
    create = "4h"
  }
}
