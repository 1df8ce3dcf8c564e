package work

import (
	"encoding/json"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// LostIn is what a private state says of a start whose outcome is not known, and
// the private state as it is written from then on.
func LostIn(private string) (lost framework.Unconfirmed, written string, err error) {
	var state datasetState
	err = json.Unmarshal([]byte(private), &state)
	text, _ := json.Marshal(state) // of our own type, which JSON can write
	return state.Lost, string(text), err
}
