package framework

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// The keys of private state: one for the resource's own type, which each domain
// calls privateState, one for the import mark, and one for the object's name
// among Holders.
const (
	stateKey  = "state"
	importKey = "imported"
	holderKey = "holder"
)

var privateKeys = []string{stateKey, importKey, holderKey}

// PrivateReader reads a resource's private state.
type PrivateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// PrivateWriter writes a resource's private state.
type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// PrivateData is a resource's private state, to be changed.
type PrivateData interface {
	PrivateReader
	PrivateWriter
}

// LoadPrivateState decodes a resource's private state into value, which stays
// as it is if none was stored.
func LoadPrivateState(ctx context.Context, private PrivateReader, value any) diag.Diagnostics {
	return loadPrivate(ctx, private, stateKey, value)
}

// StorePrivateState replaces a resource's private state. A nil value removes it.
func StorePrivateState(ctx context.Context, private PrivateWriter, value any) diag.Diagnostics {
	return storePrivate(ctx, private, stateKey, value)
}

func loadPrivate(ctx context.Context, private PrivateReader, key string, value any) diag.Diagnostics {
	if private == nil {
		return nil
	}
	raw, diags := private.GetKey(ctx, key)
	if diags.HasError() || len(raw) == 0 {
		return diags
	}
	if err := json.Unmarshal(raw, value); err != nil {
		diags.AddError("Unable to Read Private State", fmt.Sprintf("The private state %q of the resource cannot be read: %s", key, Sentence(err.Error())))
	}
	return diags
}

func storePrivate(ctx context.Context, private PrivateWriter, key string, value any) diag.Diagnostics {
	raw, _ := json.Marshal(value) // of our own types, which JSON can write
	return private.SetKey(ctx, key, raw)
}

// ForgetPrivateState removes all that is known of an object that is gone. What is planned
// next is a create, and replaces nothing.
func ForgetPrivateState(ctx context.Context, private PrivateWriter) (diags diag.Diagnostics) {
	for _, key := range privateKeys {
		diags.Append(storePrivate(ctx, private, key, nil)...)
	}
	return diags
}
