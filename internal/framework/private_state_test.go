package framework_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

type private map[string][]byte

func (p private) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return p[key], nil }

func (p private) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}

func TestPrivateStateIsReadAsItWasStored(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	state := private{}
	kept := []string{"as it was"}
	diags := framework.LoadPrivate(ctx, state, &kept)
	check.True(t, "what was never stored", !diags.HasError() && kept[0] == "as it was", kept, diags)
	framework.MarkImported(ctx, state)
	framework.StorePrivate(ctx, state, []string{"a", "b"})
	diags = framework.LoadPrivate(ctx, state, &kept)
	check.True(t, "what was stored", !diags.HasError() && len(kept) == 2, kept, diags)
	check.True(t, "private state keeps the import mark", framework.Imported(ctx, state))
	for key := range state {
		state[key] = []byte("{")
	}
	check.True(t, "broken private state is an error", framework.LoadPrivate(ctx, state, &kept).HasError())
}

// The mark ends with an update that does not fail. What the import has read is
// never taken over. Fault F21.
func TestImportMark(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	state := private{}
	none := types.StringNull()
	some := types.StringValue("read")
	want := func(when string, imported bool) {
		t.Helper()
		check.Equal(t, when+": imported", framework.Imported(ctx, state), imported)
		check.Equal(t, when+": takes over what could not be read", framework.TakesOver(ctx, state, none), imported)
		check.True(t, when+": what was read is not taken over", !framework.TakesOver(ctx, state, some))
	}
	want("never imported", false)
	framework.MarkImported(ctx, state)
	want("imported", true)
	var diags diag.Diagnostics
	diags.AddError("Failed", "")
	framework.EndImport(ctx, state, &diags)
	want("after an update that failed", true)
	diags = diag.Diagnostics{diag.NewWarningDiagnostic("Not all is well", "")}
	framework.EndImport(ctx, state, &diags)
	want("after an update", false)
	check.True(t, "what has no private state was not imported", !framework.Imported(ctx, nil))
}
