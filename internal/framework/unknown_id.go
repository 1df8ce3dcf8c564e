package framework

import (
	"crypto/rand"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

const unknownPrefix = "unknown-"

// UnknownID returns an id for what may have been created, and whose real id is
// not known. It is random, so that no two objects have the same.
func UnknownID() types.String {
	return types.StringValue(unknownPrefix + strings.ToLower(rand.Text()))
}

// IsUnknownID reports whether an id was made by UnknownID.
func IsUnknownID(id types.String) bool { return strings.HasPrefix(id.ValueString(), unknownPrefix) }
