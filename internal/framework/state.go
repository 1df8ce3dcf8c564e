package framework

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Getter is a plan or a state.
type Getter interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}

// Publish writes state and identity together, or neither, with every unknown
// value made null: if a new state contained one, the CLI would taint the
// object, and the next apply would destroy it and buy it again. It warns of
// addresses that are too long for the state.
func Publish(
	ctx context.Context,
	state *tfsdk.State,
	identity *tfsdk.ResourceIdentity,
	model, identityModel any,
) diag.Diagnostics {
	return publish(ctx, state, identity, model, func(_ *tfsdk.State, next *tfsdk.ResourceIdentity) diag.Diagnostics {
		return next.Set(ctx, identityModel)
	})
}

// publish writes state and identity together: neither is left without the
// other.
func publish(
	ctx context.Context,
	state *tfsdk.State,
	identity *tfsdk.ResourceIdentity,
	model any,
	identify func(*tfsdk.State, *tfsdk.ResourceIdentity) diag.Diagnostics,
) diag.Diagnostics {
	nextState := tfsdk.State{Schema: state.Schema, Raw: state.Raw.Copy()}
	diags := nextState.Set(ctx, model)
	if diags.HasError() {
		return diags
	}
	if !nextState.Raw.IsFullyKnown() {
		nextState.Raw, _ = tftypes.Transform(
			nextState.Raw,
			func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
				if value.IsKnown() {
					return value, nil
				}
				return tftypes.NewValue(value.Type(), nil), nil // so it never fails
			},
		)
	}
	if identity != nil {
		nextIdentity := tfsdk.ResourceIdentity{Schema: identity.Schema, Raw: identity.Raw.Copy()}
		diags.Append(identify(&nextState, &nextIdentity)...)
		if diags.HasError() {
			return diags
		}
		identity.Raw = nextIdentity.Raw
	}
	WarnOfOmitted(&diags, state.Raw, nextState.Raw)
	state.Raw = nextState.Raw
	return diags
}

// The keys of private state: one for the resource's own type, which each domain
// calls privateState, one for the import mark, one for the object's name among
// Holders, and one for its open entries of the purchase log.
const (
	stateKey   = "state"
	importKey  = "imported"
	holderKey  = "holder"
	requestKey = "requests"
)

var privateKeys = []string{stateKey, importKey, holderKey, requestKey}

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

// LoadPrivateState decodes a resource's private state, if there is any, into
// value.
func LoadPrivateState(ctx context.Context, private PrivateReader, value any) diag.Diagnostics {
	return loadPrivate(ctx, private, stateKey, value)
}

// StorePrivateState replaces a resource's private state. A nil value removes it.
func StorePrivateState(ctx context.Context, private PrivateWriter, value any) diag.Diagnostics {
	return storePrivate(ctx, private, stateKey, value)
}

// loadPrivate reads a value of the private state; what was never stored leaves
// it as it is.
func loadPrivate(ctx context.Context, private PrivateReader, key string, value any) diag.Diagnostics {
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

func storePrivate(ctx context.Context, private PrivateWriter, key string, value any) diag.Diagnostics {
	raw, _ := json.Marshal(value) // of our own types, which JSON can write
	return private.SetKey(ctx, key, raw)
}

// ForgetPrivateState makes what is planned next a create that replaces nothing.
func ForgetPrivateState(ctx context.Context, private PrivateWriter) (diags diag.Diagnostics) {
	for _, key := range privateKeys {
		diags.Append(storePrivate(ctx, private, key, nil)...)
	}
	return diags
}
