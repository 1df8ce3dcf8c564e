package framework

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// PrivateReader is the reading half of a resource's private state.
type PrivateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// PrivateWriter is the writing half of a resource's private state.
type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// LoadPrivate decodes a key of private state into value, which stays as it is
// when the key was never set.
func LoadPrivate(ctx context.Context, private PrivateReader, key string, value any) diag.Diagnostics {
	raw, diags := private.GetKey(ctx, key)
	if diags.HasError() || len(raw) == 0 {
		return diags
	}
	if err := json.Unmarshal(raw, value); err != nil {
		diags.AddError("Unable to Read Private State", fmt.Sprintf("The private state %q of the resource cannot be read: %s.", key, err))
	}
	return diags
}

// StorePrivate encodes value under a key of private state.
func StorePrivate(ctx context.Context, private PrivateWriter, key string, value any) diag.Diagnostics {
	raw, err := json.Marshal(value)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Unable to Store Private State",
			fmt.Sprintf("The private state %q of the resource cannot be stored: %s.", key, err))}
	}
	return private.SetKey(ctx, key, raw)
}

// SightingKey is, in private state, the last read that has shown the object
// (api.Sighting): only what was shown can vanish, and only from whoever saw it.
const SightingKey = "sighting"
