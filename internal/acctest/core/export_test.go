package core

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// Show is a value as JSON, with Unknown where it is unknown.
func Show(value tftypes.Value) string { return shown(value) }

// UnknownIDs are those of a value.
var UnknownIDs = unknownIDs
