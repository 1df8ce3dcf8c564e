package framework_test

import (
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// The last download of a generation counts, and one that nobody has tried to save
// may be deleted.
func TestUnsaved(t *testing.T) {
	t.Parallel()
	var book framework.GenerationBook
	check.Equal(t, "before any download", book.Unsaved([]string{"never"}), nil)
	for _, saved := range []bool{false, true, false} {
		book.NoteDownload("first", saved)
	}
	book.NoteDownload("second", false)
	book.NoteDownload("second", true)
	if found, want := book.Unsaved([]string{"never", "first", "second"}), []string{"first"}; !slices.Equal(found, want) {
		t.Errorf("%q are not saved, want %q", found, want)
	}
}
