package framework_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// private is a resource's private state.
type private map[string][]byte

func (p private) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return p[key], nil }

func (p private) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}

func TestPrivateStateIsReadAsItWasStored(t *testing.T) {
	t.Parallel()
	ctx, state := t.Context(), private{}
	kept := []string{"as it was"}
	if diags := framework.LoadPrivateState(ctx, state, &kept); diags.HasError() || kept[0] != "as it was" {
		t.Errorf("what was never stored gives %q, %v", kept, diags)
	}
	framework.MarkImported(ctx, state)
	framework.StorePrivateState(ctx, state, []string{"a", "b"})
	if diags := framework.LoadPrivateState(ctx, state, &kept); diags.HasError() || len(kept) != 2 {
		t.Errorf("what was stored gives %q, %v", kept, diags)
	}
	if !framework.Imported(ctx, state) {
		t.Error("private state has replaced the import mark")
	}
	if diags := framework.StorePrivateState(ctx, state, func() {}); !diags.HasError() {
		t.Error("what cannot be stored is no error")
	}
	for key := range state {
		state[key] = []byte("{")
	}
	if diags := framework.LoadPrivateState(ctx, state, &kept); !diags.HasError() {
		t.Error("broken private state is no error")
	}
}

// The mark of an import outlives the import's own refresh and that of the first
// plan after it. It ends with the first update that does not fail, or with the
// second refresh that was stored since, or since an update that failed.
// Fault F28.
func TestImportMark(t *testing.T) {
	t.Parallel()
	ctx, state := t.Context(), private{}
	want := func(when string, imported bool) {
		t.Helper()
		if got := framework.Imported(ctx, state); got != imported {
			t.Errorf("%s: imported is %t", when, got)
		}
	}
	want("never imported", false)
	framework.CountRefresh(ctx, state, state)
	want("refreshed and never imported", false)
	framework.MarkImported(ctx, state)
	want("imported", true)
	framework.CountRefresh(ctx, state, state)
	want("after the import's own refresh", true)
	framework.CountRefresh(ctx, state, private{}) // a plan that is not applied
	framework.CountRefresh(ctx, state, state)
	want("in the first plan after it", true)
	framework.CountRefresh(ctx, state, state)
	want("in the second", false)
	framework.CountRefresh(ctx, state, state)
	want("for good", false)
	framework.KeepImport(ctx, state, state)
	want("for good, even if an update fails", false)
	framework.MarkImported(ctx, state)
	framework.CountRefresh(ctx, state, state)
	for range 3 {
		framework.CountRefresh(ctx, state, state)
		want("in a plan after updates that failed", true)
		framework.KeepImport(ctx, state, state)
	}
	framework.EndImport(ctx, state)
	want("after an update", false)
	if framework.Imported(ctx, nil) {
		t.Error("what has no private state was imported")
	}
}
