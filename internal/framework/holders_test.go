package framework_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestHolders(t *testing.T) {
	t.Parallel()
	var groups framework.Holders
	groups.Release("g1", "a") // what nobody holds
	if others := groups.Hold("g1", "a"); len(others) > 0 {
		t.Errorf("the first holder has others: %q", others)
	}
	if others := groups.Hold("g1", "a"); len(others) > 0 {
		t.Errorf("an object is another holder than itself: %q", others)
	}
	if others := groups.Hold("g2", "b"); len(others) > 0 {
		t.Errorf("a holder of another id counts: %q", others)
	}
	check.Equal(t, "b sees", groups.Hold("g1", "b"), []string{"a"})
	check.Equal(t, "a sees", groups.Others("g1", "a"), []string{"b"})
	groups.Release("g1", "b")
	if others := groups.Others("g1", "a"); len(others) > 0 {
		t.Errorf("a sees %q after b was destroyed", others)
	}
	for holder, want := range map[string]bool{"": true, "b": true, "c": false} { // what is released is known
		check.True(t, "that it is known to hold", groups.Knows("g1", holder) == want, holder, !want)
	}
	check.True(t, "no holder is known of what nobody holds", !groups.Knows("g3", ""))
	if others := groups.Hold("", "a"); len(others) > 0 {
		t.Errorf("an empty id has holders: %q", others)
	}
}

// Of several that are destroyed, the last one knows it, whoever was stored and
// whoever was read.
func TestLastHolder(t *testing.T) {
	t.Parallel()
	var jobs framework.Holders
	check.Equal(t, "a leaves", jobs.Release("j1", "a", "b", "c"), []string{"b", "c"})
	jobs.Hold("j1", "c")
	check.Equal(t, "b leaves", jobs.Release("j1", "b", "a", "c"), []string{"c"})
	if left := jobs.Release("j1", "c", "a", "b"); len(left) > 0 {
		t.Errorf("c leaves %q, and is the last", left)
	}
}

func TestHoldersThatLeave(t *testing.T) {
	t.Parallel()
	var jobs framework.Holders
	all := func(string) bool { return true }
	jobs.Hold("j1", "a")
	jobs.Hold("j2", "a")
	check.True(t, "nothing leaves at first", !jobs.Leaves("j1", "b"))
	check.Equal(t, "a leaves j1", len(jobs.Leave("a", func(id string) bool { return id == "j1" })), 0)
	check.True(t, "only j1 leaves, and a knows", jobs.Leaves("j1", "b") && !jobs.Leaves("j2", "b") && !jobs.Leaves("j1", "a"))
	jobs.Hold("j1", "b")
	check.Equal(t, "what b holds too", jobs.Leave("a", all), []string{"j1"})
	check.True(t, "only j2 leaves", !jobs.Leaves("j1", "b") && jobs.Leaves("j2", "b"))
}

// An object keeps its name, and no two have the same.
func TestHolderName(t *testing.T) {
	t.Parallel()
	ctx, diags := t.Context(), diag.Diagnostics{}
	one, other := private{}, private{}
	name := framework.HolderName(ctx, nil, one, &diags)
	check.True(t, "the name stays", name != "" && framework.HolderName(ctx, one, one, &diags) == name && framework.HolderName(ctx, one, nil, &diags) == name, name)
	check.Equal(t, "a name that nothing stores", framework.HolderName(ctx, other, nil, &diags), "")
	check.True(t, "the name of another object", framework.HolderName(ctx, other, other, &diags) != name && !diags.HasError(), name, diags)
}

func TestHoldersThatAreReadAtOnce(t *testing.T) {
	t.Parallel()
	var groups framework.Holders
	check.AtOnce(
		func() { groups.Hold("g1", "a") }, func() { groups.Others("g1", "b") }, func() { groups.Release("g1", "b", "c") },
		func() { groups.Leave("a", func(string) bool { return true }) }, func() { groups.Leaves("g1", "a") },
	)
}
