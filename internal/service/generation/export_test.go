package generation

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// Import ids and identity pairs.
var (
	DecodeImportID = decodeImportID
	EncodePairs    = encodePairs
	DecodePairs    = decodePairs
)

// DerivedKeys returns the keys of prompts in the order of creation, as an import
// derives them of a list in any order.
func DerivedKeys(prompts []string) []string {
	var generations []*api.Generation
	for i := range prompts {
		id := fmt.Sprint(i)
		created := time.Unix(int64(i/3), 0).UTC().Format(time.RFC3339)
		generations = append(generations, &api.Generation{GenerationID: &id, Prompt: &prompts[i], CreatedAt: &created})
	}
	rand.Shuffle(len(generations), func(i, j int) { generations[i], generations[j] = generations[j], generations[i] })
	keys := make([]string, len(prompts))
	for key, id := range deriveKeys(generations) {
		place, _ := strconv.Atoi(id)
		keys[place] = key
	}
	return keys
}
