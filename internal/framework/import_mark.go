package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// importMark says, in private state, that no apply has followed the import of
// an object yet: what the import could not read is then taken over from the
// configuration, never bought or replaced. A change after that is a change.
type importMark struct {
	// Refreshes are those that were stored since: each stands for an apply, also
	// for one that had nothing to do. The one that belongs to the import is
	// counted from -1.
	Refreshes int `json:"refreshes"`
}

// Imported reports whether the object was imported, and no apply has followed.
func Imported(ctx context.Context, private PrivateReader) bool {
	return loadMark(ctx, private) != nil
}

// MarkImported begins it, in ImportState.
func MarkImported(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return storePrivate(ctx, private, importKey, importMark{Refreshes: -1})
}

// EndImport ends it, in Update.
func EndImport(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return storePrivate(ctx, private, importKey, nil)
}

// CountRefresh ends it, in Read, once another refresh has been stored than that
// of the import. The count of a plan that is not applied is forgotten with it.
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
