package generation

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// Import ids and identity pairs.
var (
	DecodeImportID = decodeImportID
	EncodePairs    = encodePairs
	DecodePairs    = decodePairs
)

// Inputs returns the names of the inputs whose attributes, and of those with which
// a batch, tells a prompt from an empty one.
func Inputs(p prompts.Prompt) (shown, sent []string) {
	var none prompts.Prompt
	for _, input := range promptInputs {
		var without, with api.Prompt
		input.send(&none, &without)
		input.send(&p, &with)
		if !input.get(&p).Equal(input.get(&none)) {
			shown = append(shown, input.name)
		}
		if !reflect.DeepEqual(with, without) {
			sent = append(sent, input.name)
		}
	}
	return shown, sent
}

// DerivedKeys returns the keys of prompts in the order of creation, as an import
// derives them of a list in any order.
func DerivedKeys(texts []string) []string {
	var generations []*api.Generation
	for i := range texts {
		id := fmt.Sprint(i)
		created := time.Unix(int64(i/3), 0).UTC().Format(time.RFC3339)
		generations = append(generations, &api.Generation{GenerationID: &id, Prompt: &texts[i], CreatedAt: &created})
	}
	rand.Shuffle(len(generations), func(i, j int) { generations[i], generations[j] = generations[j], generations[i] })
	keys := make([]string, len(texts))
	for key, id := range deriveKeys(generations) {
		place, _ := strconv.Atoi(id)
		keys[place] = key
	}
	return keys
}
