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
	var unsaved framework.Unsaved
	check.Equal(t, "before any download", unsaved.Among([]string{"never"}), nil)
	for _, saved := range []bool{false, true, false} {
		unsaved.Note("first", saved)
	}
	unsaved.Note("second", false)
	unsaved.Note("second", true)
	if found, want := unsaved.Among([]string{"never", "first", "second"}), []string{"first"}; !slices.Equal(found, want) {
		t.Errorf("%q are not saved, want %q", found, want)
	}
}
