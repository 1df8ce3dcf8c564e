package framework

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// The keys of private state.
const (
	stateKey   = "state"    // a struct that each domain calls privateState
	importKey  = "imported" // the import mark
	HolderKey  = "holder"   // the object's name among run.Holders
	RequestKey = "requests" // the object's purchases that live in the purchase log
)

var privateKeys = []string{stateKey, importKey, HolderKey, RequestKey}

// PrivateReader reads a resource's private state.
type PrivateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// PrivateWriter writes a resource's private state.
type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// PrivateState reads and writes a resource's private state.
type PrivateState interface {
	PrivateReader
	PrivateWriter
}

// LoadPrivate decodes a resource's private state, if there is any, into value.
func LoadPrivate(ctx context.Context, private PrivateReader, value any) diag.Diagnostics {
	return LoadPrivateKey(ctx, private, stateKey, value)
}

// StorePrivate replaces a resource's private state. A nil value removes it.
func StorePrivate(ctx context.Context, private PrivateWriter, value any) diag.Diagnostics {
	return StorePrivateKey(ctx, private, stateKey, value)
}

// LoadPrivateKey reads a value of the private state. It leaves value unchanged
// if nothing was stored.
func LoadPrivateKey(ctx context.Context, private PrivateReader, key string, value any) diag.Diagnostics {
	if private == nil {
		return nil
	}
	raw, diags := private.GetKey(ctx, key)
	if diags.HasError() || len(raw) == 0 {
		return diags
	}
	if err := json.Unmarshal(raw, value); err != nil {
		diags.AddError(
			"Unable to Read Private State",
			fmt.Sprintf("The private state %q of the resource cannot be read: %s", key, Sentence(err.Error())),
		)
	}
	return diags
}

// StorePrivateKey replaces a value of the private state.
func StorePrivateKey(ctx context.Context, private PrivateWriter, key string, value any) diag.Diagnostics {
	raw, _ := json.Marshal(value) // our own types can be written as JSON
	return private.SetKey(ctx, key, raw)
}

// ForgetPrivate removes all private state. The next plan of the object is then
// a create that replaces nothing.
func ForgetPrivate(ctx context.Context, private PrivateWriter) (diags diag.Diagnostics) {
	for _, key := range privateKeys {
		diags.Append(StorePrivateKey(ctx, private, key, nil)...)
	}
	return diags
}

// IsReplacement reports whether the plan of a create replaces an object: the
// CLI then passes the private state of the predecessor. The tally is unknown in
// such a plan; otherwise the plan would hide that as much is bought again. An
// apply plans the create once more, without the private state.
func IsReplacement(ctx context.Context, private PrivateReader) bool {
	return slices.ContainsFunc(privateKeys, func(key string) bool {
		raw, _ := private.GetKey(ctx, key)
		return len(raw) > 0 && string(raw) != "null"
	})
}

// HolderName returns the object's name among the run's Holders. After a create
// or import, an object has no name yet; it gets a new name if there is private
// state to write.
func HolderName(
	ctx context.Context,
	from PrivateReader,
	to PrivateWriter,
	diags *diag.Diagnostics,
) (name string) {
	diags.Append(LoadPrivateKey(ctx, from, HolderKey, &name)...)
	if name == "" && to != nil {
		name = strings.ToLower(rand.Text())
		diags.Append(StorePrivateKey(ctx, to, HolderKey, name)...)
	}
	return name
}
