package framework

import (
	"crypto/rand"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

const unknownPrefix = "unknown-"

// UnknownID is an id for what may have been made at the service, and whose real
// id nobody knows. It is random: no two objects may seem to be the same.
func UnknownID() types.String {
	return types.StringValue(unknownPrefix + strings.ToLower(rand.Text()))
}

// IsUnknownID reports that an id was made by UnknownID.
func IsUnknownID(id types.String) bool { return strings.HasPrefix(id.ValueString(), unknownPrefix) }
