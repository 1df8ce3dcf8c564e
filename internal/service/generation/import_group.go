package generation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// ImportState takes the generations to import from a JSON object of key and
// generation id, or from the identity. The refresh that follows reads them.
func (r *groupResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	diags := &resp.Diagnostics
	pairs, err := importPairs(ctx, req, diags)
	if err != nil {
		diags.AddError("Invalid Import Id", framework.Sentence("The import is not valid: "+err.Error())+" Nothing was sent.")
	}
	if diags.HasError() {
		return
	}
	generations := map[string]generationModel{}
	for key, id := range pairs {
		generations[key] = newGeneration(id)
	}
	defaults := map[string]any{
		"generations":         generationElements.encode(generations),
		"wait_for_completion": true,
		"refresh_finished":    true,
		"max_attempts":        int64(defaultMaxAttempts),
		"deletion_policy":     policyDelete,
	}
	for name, value := range defaults {
		diags.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	identity := identityModel{Generations: stringList(encodePairs(pairs))}
	diags.Append(resp.Identity.Set(ctx, identity)...)
	diags.Append(framework.MarkImported(ctx, resp.Private)...)
}

func importPairs(ctx context.Context, req resource.ImportStateRequest, diags *diag.Diagnostics) (map[string]string, error) {
	if req.ID != "" {
		return decodeImportID(req.ID)
	}
	var identity identityModel
	diags.Append(req.Identity.Get(ctx, &identity)...)
	var encoded []string
	diags.Append(identity.Generations.ElementsAs(ctx, &encoded, false)...)
	if diags.HasError() {
		return nil, nil
	}
	return decodePairs(encoded)
}

// decodeImportID reads {"key": "generation_id"}.
func decodeImportID(id string) (map[string]string, error) {
	decoder := json.NewDecoder(strings.NewReader(id))
	pairs := map[string]string{}
	malformed := errors.New(`the import id must be a JSON object of key and generation id, as jsonencode({ cover = "gen_1" }) gives`)
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, malformed
	}
	for decoder.More() {
		key, keyErr := decoder.Token()
		value, valueErr := decoder.Token()
		name, isName := key.(string)
		generation, isText := value.(string)
		if keyErr != nil || valueErr != nil || !isName || !isText {
			return nil, malformed
		}
		if _, doubled := pairs[name]; doubled {
			return nil, fmt.Errorf("the import id names the key %q twice", name)
		}
		pairs[name] = generation
	}
	if _, err := decoder.Token(); err != nil || decoder.More() {
		return nil, malformed
	}
	return pairs, checkPairs(pairs)
}

func checkPairs(pairs map[string]string) error {
	if len(pairs) == 0 {
		return errors.New("the import names no generation")
	}
	for key, id := range pairs {
		if strings.TrimSpace(key) == "" || strings.TrimSpace(id) == "" {
			return errors.New("the import has an empty key or an empty generation id")
		}
	}
	return nil
}

var (
	keyEscaper   = strings.NewReplacer("%", "%25", ",", "%2C", "=", "%3D")
	keyUnescaper = strings.NewReplacer("%25", "%", "%2C", ",", "%2c", ",", "%3D", "=", "%3d", "=")
)

// encodePairs writes key=generation_id, sorted, for the identity.
func encodePairs(pairs map[string]string) []string {
	encoded := []string{}
	for key, id := range pairs {
		encoded = append(encoded, keyEscaper.Replace(key)+"="+id)
	}
	slices.Sort(encoded)
	return encoded
}

func decodePairs(encoded []string) (map[string]string, error) {
	pairs := map[string]string{}
	for _, pair := range encoded {
		key, id, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("each of the identity's generations must be key=generation_id; got %q", pair)
		}
		name := keyUnescaper.Replace(key)
		if _, doubled := pairs[name]; doubled {
			return nil, fmt.Errorf("the identity names the key %q twice", name)
		}
		pairs[name] = id
	}
	return pairs, checkPairs(pairs)
}
