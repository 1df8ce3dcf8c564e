package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// The import mark is in private state. It means that the object was imported,
// and that no update has succeeded since. Values that the import could not read
// are then taken over from the configuration, and nothing is bought or replaced
// because of them.

// Imported reports whether the object has the import mark.
func Imported(ctx context.Context, private PrivateReader) bool {
	var mark any
	_ = LoadPrivateKey(ctx, private, importKey, &mark)
	return mark != nil
}

// TakesOver reports whether the object takes over a changed attribute, because
// the import could not read the attribute.
func TakesOver(ctx context.Context, private PrivateReader, stored attr.Value) bool {
	return stored.IsNull() && Imported(ctx, private)
}

// MarkImported sets the import mark.
func MarkImported(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return StorePrivateKey(ctx, private, importKey, true)
}

// EndImport removes the import mark at the end of an Update. A failed Update
// keeps the mark.
func EndImport(ctx context.Context, private PrivateWriter, diags *diag.Diagnostics) {
	if !diags.HasError() {
		diags.Append(StorePrivateKey(ctx, private, importKey, nil)...)
	}
}
