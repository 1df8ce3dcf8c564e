package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// importMark, in private state, says that no apply has followed an object's
// import yet: what the import could not read is taken over from the
// configuration, never bought or replaced. A later change is a change.
type importMark struct {
	// Refreshes counts those stored since: each implies an apply, even one
	// without changes. It starts at -1 for the refresh of the import itself.
	Refreshes int `json:"refreshes"`
}

// Imported reports whether the object has the import mark.
func Imported(ctx context.Context, private PrivateReader) bool {
	return loadMark(ctx, private) != nil
}

// MarkImported sets the mark, in ImportState.
func MarkImported(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return storePrivate(ctx, private, importKey, importMark{Refreshes: -1})
}

// KeepImport restarts the count, for an Update that fails: what was to be taken
// over still is.
func KeepImport(ctx context.Context, from PrivateReader, to PrivateWriter) diag.Diagnostics {
	mark := loadMark(ctx, from)
	if mark == nil {
		return nil
	}
	mark.Refreshes = 0
	return storePrivate(ctx, to, importKey, mark)
}

// EndImport removes it, in Update.
func EndImport(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return storePrivate(ctx, private, importKey, nil)
}

// CountRefresh removes it, in Read, once a refresh other than the import's was
// stored. The count of a plan that is not applied is lost with that plan.
func CountRefresh(ctx context.Context, from PrivateReader, to PrivateWriter) diag.Diagnostics {
	mark := loadMark(ctx, from)
	switch {
	case mark == nil:
		return nil
	case mark.Refreshes > 0:
		return EndImport(ctx, to)
	}
	mark.Refreshes++
	return storePrivate(ctx, to, importKey, mark)
}

func loadMark(ctx context.Context, private PrivateReader) *importMark {
	var mark *importMark
	if private != nil {
		_ = loadPrivate(ctx, private, importKey, &mark)
	}
	return mark
}
