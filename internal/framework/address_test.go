package framework_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

const limit = 64 << 10

func ofSize(mediaType, filling string, size int) string {
	uri := "data:" + mediaType + ";base64,"
	return uri + strings.Repeat(filling, size-len(uri))
}

// Fault F25.
func TestBoundedAddress_keepsTypeSizeAndHash(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ address, want string }{
		"ordinary":       {"https://cdn.example/1.png?sig=1", "https://cdn.example/1.png?sig=1"},
		"at the limit":   {ofSize("image/png", "A", limit), ofSize("image/png", "A", limit)},
		"over the limit": {ofSize("image/png", "A", limit+1), "omitted:image/png;size=65537;sha256="},
		"with parameters": {
			"data:text/plain;charset=utf-8," + strings.Repeat("A", limit),
			"omitted:text/plain;size=",
		},
		"without a type": {"data:," + strings.Repeat("A", limit), "omitted:text/plain;size=65542;sha256="},
		"an absurd type": {"data:" + strings.Repeat("a", limit) + ",A", "omitted:unknown;size=65543;sha256="},
		"not one of data": {
			"https://cdn.example/" + strings.Repeat("a", limit),
			"omitted:unknown;size=65556;sha256=",
		},
		"a type, not of data": {"image/png," + strings.Repeat("A", limit), "omitted:unknown;size=65546;sha256="},
		"without content":     {"data:image/png;" + strings.Repeat("A", limit), "omitted:unknown;size=65551;sha256="},
		"a long signature": {
			"https://cdn.example/1.png?sig=" + strings.Repeat("a", limit),
			"omitted:unknown;size=25;sha256=",
		},
		"what is kept of one": {"omitted:image/png;size=65537;sha256=00", "omitted:image/png;size=65537;sha256=00"},
	} {
		got := framework.BoundedAddress(test.address)
		check.True(
			t,
			name,
			strings.HasPrefix(got, test.want) && len(got) <= limit && got == framework.BoundedAddress(got),
			got,
		)
	}
	check.True(
		t,
		"different files differ",
		framework.BoundedAddress(
			ofSize("image/png", "A", limit+1),
		) != framework.BoundedAddress(
			ofSize("image/png", "B", limit+1),
		),
	)
}

func TestSameAddress_ofWhatIsKept(t *testing.T) {
	t.Parallel()
	served := ofSize("image/png", "A", 5<<20)
	kept := types.StringValue(framework.BoundedAddress(served))
	for name, stored := range map[string]types.String{"none yet": types.StringNull(), "kept": kept, "whole, from " +
		"before": types.StringValue(served)} {
		check.True(t, name, framework.SameAddress(stored, &served).Equal(kept))
		check.Equal(
			t,
			name,
			framework.SameAddresses([]string{stored.ValueString()}, []string{served})[0],
			kept.ValueString(),
		)
	}
	other := ofSize("image/png", "B", 5<<20)
	check.True(t, "another file is not the same", !framework.SameAddress(kept, &other).Equal(kept))
	// A question mark begins no query in a data URI.
	one := "data:image/svg+xml,<?xml a"
	two := "data:image/svg+xml,<?xml b"
	check.Equal(
		t,
		"the address of another file",
		framework.SameAddress(types.StringValue(one), &two).ValueString(),
		two,
	)
	check.True(
		t,
		"different files differ",
		framework.BoundedAddress(
			one+strings.Repeat("A", limit),
		) != framework.BoundedAddress(
			two+strings.Repeat("A", limit),
		),
	)
}

func TestBoundedJSON_boundsTheTextsInIt(t *testing.T) {
	t.Parallel()
	small := `{"n":12.0,"view_url":"https://cdn.example/<1>"}`
	check.Equal(t, "small", framework.BoundedJSON(small), small)
	file := ofSize("image/png", "A", 5<<20)
	got := framework.BoundedJSON(`{"a":[{"view_url":"` + file + `"}],"n":12.0,"z":"https://cdn.example/<1>"}`)
	check.Equal(
		t,
		"large",
		got,
		`{"a":[{"view_url":"`+framework.BoundedAddress(file)+`"}],"n":12.0,"z":"https://cdn.example/<1>"}`,
	)
}

func TestWarnOfOmitted_warnsOncePerObject(t *testing.T) {
	t.Parallel()
	kept := framework.BoundedAddress(ofSize("image/png", "A", limit+1))
	other := framework.BoundedAddress(ofSize("text/plain", "B", limit+1))
	state := func(addresses []string) tftypes.Value {
		texts := []tftypes.Value{tftypes.NewValue(tftypes.String, nil)}
		for _, address := range addresses {
			texts = append(texts, tftypes.NewValue(tftypes.String, address))
		}
		return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, texts)
	}
	for name, test := range map[string]struct {
		before, after []string
		warnings      int
	}{
		"new":    {nil, []string{"https://cdn.example/1", kept, kept}, 1},
		"known":  {[]string{kept}, []string{kept}, 0},
		"none":   {nil, []string{"https://cdn.example/1", ""}, 0},
		"change": {[]string{kept}, []string{kept, other}, 1},
		"JSON":   {[]string{kept}, []string{`{"a":"` + kept + `","b":"` + other + `"}`}, 1},
	} {
		var diags diag.Diagnostics
		framework.WarnOfOmitted(&diags, state(test.before), state(test.after))
		check.True(t, name, diags.WarningsCount() == test.warnings, diags)
	}
}
