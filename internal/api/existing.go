package api

import (
	"net/http"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Fields of an error body that hold the id of an object.
const (
	namedCharacter = "character_id"
	namedAsset     = "asset_id"
)

// ExistingCharacter returns the id of the character that a 409 reports as
// existing already. It returns "" if the error names no id.
func ExistingCharacter(err error) string { return existing(err, namedCharacter) }

// ExistingAsset returns the id of the asset that a 409 reports as existing
// already. It returns "" if the error names no id.
func ExistingAsset(err error) string { return existing(err, namedAsset) }

func existing(err error, field string) string {
	if reply.Status(err) != http.StatusConflict {
		return ""
	}
	failure := reply.ErrorOf(err)
	if failure == nil || !reply.IsID(failure.Said.Named[field]) {
		return ""
	}
	return failure.Said.Named[field]
}
