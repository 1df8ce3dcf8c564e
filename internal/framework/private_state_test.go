package framework_test

import (
	"context"
	"strings"
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
	diags := framework.LoadPrivateState(ctx, state, &kept)
	check.True(t, "what was never stored", !diags.HasError() && kept[0] == "as it was", kept, diags)
	framework.MarkImported(ctx, state)
	framework.StorePrivateState(ctx, state, []string{"a", "b"})
	diags = framework.LoadPrivateState(ctx, state, &kept)
	check.True(t, "what was stored", !diags.HasError() && len(kept) == 2, kept, diags)
	check.True(t, "private state keeps the import mark", framework.Imported(ctx, state))
	for key := range state {
		state[key] = []byte("{")
	}
	check.True(t, "broken private state is an error", framework.LoadPrivateState(ctx, state, &kept).HasError())
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

func TestImportIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string][2]string{
		"char/asset":             {"char", "asset"},
		"char/a/b":               {"char", "a/b"},
		"char//b":                {"char", "/b"},
		"ch%2Far/as%2Fset":       {"ch/ar", "as/set"},
		"ch%2far/as%2fset/c%2Fd": {"ch/ar", "as/set/c/d"},
		"50%25/100%25":           {"50%", "100%"},
		"%252F/%25252F":          {"%2F", "%252F"},
		"%2F/%2f":                {"/", "/"},
		"a%20b/c%C3%A9":          {"a%20b", "c%C3%A9"},
		"100%/5%2":               {"100%", "5%2"},
		"%/%%":                   {"%", "%%"},
		"%2/%G1":                 {"%2", "%G1"},
		"%2%2F/%%252F":           {"%2/", "%%2F"},
		"ключ/臉":                 {"ключ", "臉"},
	} {
		character, own, ok := framework.SplitImportID(id)
		check.True(t, id, ok && [2]string{character, own} == want, character, own, want)
	}
	for _, id := range []string{"", "char", "/", "char/", "/asset", " /asset", "char/\t", "a%2Fb", "%2F"} {
		character, own, ok := framework.SplitImportID(id)
		check.True(t, id, !ok, character, own)
	}
}

func FuzzImportIDs(f *testing.F) {
	for _, seed := range [][2]string{{"char", "asset"}, {"a/b", "c/d"}, {"%2F", "%25"}, {"%", "%2"}, {"/", "//"}, {"%252f", " x "}, {"\xff", "a%"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, character, own string) {
		if strings.TrimSpace(character) == "" || strings.TrimSpace(own) == "" {
			return
		}
		encode := strings.NewReplacer("%", "%25", "/", "%2F").Replace
		first, second, ok := framework.SplitImportID(encode(character) + "/" + encode(own))
		check.True(t, "what both became", ok && first == character && second == own, character, own, first, second, ok)
		// Without an escape nothing changes.
		raw := strings.NewReplacer("%", "", "/", "").Replace(character)
		first, second, ok = framework.SplitImportID(raw + "/" + strings.ReplaceAll(own, "%", ""))
		check.True(
			t,
			"without an escape",
			!ok || (first == raw && second == strings.ReplaceAll(own, "%", "")),
			raw,
			own,
			first,
			second,
		)
	})
}
