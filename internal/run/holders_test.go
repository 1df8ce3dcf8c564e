package run_test

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/run"

	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestHolders(t *testing.T) {
	t.Parallel()
	var groups run.Holders
	groups.Release("g1", "a") // what nobody holds
	check.Equal(t, "others than the first holder", len(groups.Hold("g1", "a")), 0)
	check.Equal(t, "others than itself", len(groups.Hold("g1", "a")), 0)
	check.Equal(t, "others of another id", len(groups.Hold("g2", "b")), 0)
	check.Equal(t, "b sees", groups.Hold("g1", "b"), []string{"a"})
	check.Equal(t, "a sees", groups.Others("g1", "a"), []string{"b"})
	groups.Release("g1", "b")
	check.Equal(t, "others after b was destroyed", len(groups.Others("g1", "a")), 0)
	for holder, want := range map[string]bool{"": true, "b": true, "c": false} { // what is released is known
		check.True(t, "that it is known to hold", groups.HasHeld("g1", holder) == want, holder, !want)
	}
	check.True(t, "no holder is known of what nobody holds", !groups.HasHeld("g3", ""))
	check.Equal(t, "others of an empty id", len(groups.Hold("", "a")), 0)
}

// Of several that are destroyed, the last one knows it, whoever was stored and
// whoever was read.
func TestLastHolder(t *testing.T) {
	t.Parallel()
	var jobs run.Holders
	check.Equal(t, "a leaves", jobs.Release("j1", "a", "b", "c"), []string{"b", "c"})
	jobs.Hold("j1", "c")
	check.Equal(t, "b leaves", jobs.Release("j1", "b", "a", "c"), []string{"c"})
	check.Equal(t, "c leaves, the last", len(jobs.Release("j1", "c", "a", "b")), 0)
}

func TestHoldersThatLeave(t *testing.T) {
	t.Parallel()
	var jobs run.Holders
	all := func(string) bool { return true }
	jobs.Hold("j1", "a")
	jobs.Hold("j2", "a")
	check.True(t, "nothing leaves at first", !jobs.IsDeletedWithAnother("j1", "b"))
	check.Equal(t, "a leaves j1", len(jobs.PlanDeletion("a", func(id string) bool { return id == "j1" })), 0)
	check.True(
		t,
		"only j1 leaves, and a knows",
		jobs.IsDeletedWithAnother("j1", "b") && !jobs.IsDeletedWithAnother("j2", "b") &&
			!jobs.IsDeletedWithAnother("j1", "a"),
	)
	jobs.Hold("j1", "b")
	check.Equal(t, "what b holds too", jobs.PlanDeletion("a", all), []string{"j1"})
	check.True(t, "only j2 leaves", !jobs.IsDeletedWithAnother("j1", "b") && jobs.IsDeletedWithAnother("j2", "b"))
}

// private is the private state of an object.
type private map[string][]byte

func (p private) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return p[key], nil }

func (p private) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}

// An object keeps its name, and no two have the same.
func TestHolderName(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	diags := diag.Diagnostics{}
	one := private{}
	other := private{}
	name := framework.HolderName(ctx, nil, one, &diags)
	check.True(
		t,
		"the name stays",
		name != "" && framework.HolderName(ctx, one, one, &diags) == name &&
			framework.HolderName(ctx, one, nil, &diags) == name,
		name,
	)
	check.Equal(t, "a name that nothing stores", framework.HolderName(ctx, other, nil, &diags), "")
	check.True(
		t,
		"the name of another object",
		framework.HolderName(ctx, other, other, &diags) != name && !diags.HasError(),
		name,
		diags,
	)
}

func TestHoldersThatAreReadAtOnce(t *testing.T) {
	t.Parallel()
	var groups run.Holders
	check.AtOnce(
		func() { groups.Hold("g1", "a") },
		func() { groups.Others("g1", "b") },
		func() { groups.Release("g1", "b", "c") },
		func() { groups.PlanDeletion("a", func(string) bool { return true }) },
		func() { groups.IsDeletedWithAnother("g1", "a") },
	)
}

// The last download of a generation counts, and one that nobody has tried to
// save may be deleted.
func TestUnsaved(t *testing.T) {
	t.Parallel()
	var book run.KnownGenerations
	all := []string{"never", "first", "second", "empty", "emptied"}
	unsaved := func() []string { return book.Unsaved(all, func(id string) bool { return id == "emptied" }) }
	check.Equal(t, "before any download", unsaved(), nil)
	for _, how := range []run.Download{run.DownloadFailed, run.DownloadSaved, run.DownloadFailed} {
		book.NoteDownload("first", how)
	}
	book.NoteDownload("second", run.DownloadFailed)
	book.NoteDownload("second", run.DownloadSaved)
	book.NoteDownload("empty", run.DownloadEmpty)
	book.NoteDownload("emptied", run.DownloadEmpty)
	check.Equal(t, "unsaved", unsaved(), []string{"first", "emptied"})
	book.NoteUnnamedDownload()
	check.Equal(t, "nobody knows of what", unsaved(), all)
}

func TestOneTrainingOfACharacterAtATime(t *testing.T) {
	t.Parallel()
	var plans run.CharacterPlans
	unlock, err := plans.LockCreate(t.Context(), "ada", run.LoRA)
	check.Must(t, err)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = plans.LockCreate(over, "ada", run.LoRA)
	check.True(t, "another create of the character waits", wait.IsCanceled(err), err)
	for character, name := range map[string]string{"ada": run.Dataset, "grace": run.LoRA} {
		_, err := plans.LockCreate(t.Context(), character, name)
		check.Must(t, err)
	}
	unlock()
	_, err = plans.LockCreate(t.Context(), "ada", run.LoRA)
	check.Must(t, err)
	check.True(t, "who waits makes nothing", !plans.IsMade("ada", run.LoRA))
}

// The plan of a character names what the run has seen of it, and of no other.
func TestCharacterPlans_objects(t *testing.T) {
	t.Parallel()
	var plans run.CharacterPlans
	plans.Note("ada", "training")
	plans.Note("ada", "group")
	plans.Note("ada", "group")
	plans.Note("bea", "image")
	plans.Note("", "of no character")
	plans.NoteMade("ada", run.Images)
	check.Equal(t, "the objects of ada", plans.Objects("ada"), []string{"group", "training"})
	check.Equal(t, "the objects of nobody", len(plans.Objects(""))+len(plans.Objects("eve")), 0)
}
