package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// The import mark, in private state, says that an object was imported and not
// updated since, whatever applies there were. What the import could not read is
// then taken over from the configuration, never bought or replaced.

// Imported reports whether the object has the import mark.
func Imported(ctx context.Context, private PrivateReader) bool {
	var mark any
	_ = LoadPrivateKey(ctx, private, importKey, &mark)
	return mark != nil
}

// TakesOver reports whether a change is taken over: the import could not read
// the attribute.
func TakesOver(ctx context.Context, private PrivateReader, stored attr.Value) bool {
	return stored.IsNull() && Imported(ctx, private)
}

// MarkImported sets the mark.
func MarkImported(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return StorePrivateKey(ctx, private, importKey, true)
}

// EndImport removes the mark at the end of an Update. One that fails keeps it.
func EndImport(ctx context.Context, private PrivateWriter, diags *diag.Diagnostics) {
	if !diags.HasError() {
		diags.Append(StorePrivateKey(ctx, private, importKey, nil)...)
	}
}
