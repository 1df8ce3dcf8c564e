package generation

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// Former is a generation as a comparison sees it.
type Former struct {
	Prompt   string
	ID       string
	Failed   bool
	Rejected bool
	Attempts int64
}

// Difference is what compare found.
type Difference struct {
	Kept         map[string]string
	Buy, Removed []string
}

// Compare compares former generations with wanted prompts.
func Compare(former map[string]Former, want map[string]string, maxAttempts int64, imported bool) Difference {
	prior := newGroup()
	for key, f := range former {
		prior.prompts[key] = promptModel{Prompt: types.StringValue(f.Prompt)}
		generation := unsubmitted(f.Attempts)
		if f.ID != "" {
			generation.ID = types.StringValue(f.ID)
			generation.Succeeded = types.BoolValue(!f.Failed)
		}
		if f.Failed || f.Rejected {
			generation.Error = types.StringValue("failed")
		}
		prior.set(key, generation)
	}
	prompts := map[string]promptModel{}
	for key, text := range want {
		prompts[key] = promptModel{Prompt: types.StringValue(text)}
	}
	diff := compare(&prior, prompts, maxAttempts, imported)
	return Difference{Kept: diff.kept, Buy: diff.buy, Removed: diff.removed}
}

// Assign assigns a batch's results and returns the generation id of each
// prompt, "" where there is none.
func Assign(results []api.BatchEntry, count int) (ids []string, certain bool, surplus []string) {
	assigned := assign(results, count)
	for _, entry := range assigned.entries {
		id := ""
		if entry != nil && entry.GenerationID != nil {
			id = *entry.GenerationID
		}
		ids = append(ids, id)
	}
	return ids, assigned.certain, assigned.surplus
}

// Import ids and identity pairs.
var (
	DecodeImportID = decodeImportID
	EncodePairs    = encodePairs
	DecodePairs    = decodePairs
)

// Matrix makes the prompts of a template. An error comes with the argument of
// prompt_matrix that it is about.
func Matrix(template string, axes map[string][]string) (map[string]string, int64, error) {
	prompts, err := matrix(template, axes)
	if err != nil {
		return nil, err.argument, err
	}
	return prompts, 0, nil
}
