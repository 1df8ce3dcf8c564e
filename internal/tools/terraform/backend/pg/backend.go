// Package pg stands in for Terraform's unpublished module of that name.
package pg

import "github.com/hashicorp/terraform/internal/backend/remote-state/inmem"

// New is Terraform's own in-memory backend.
var New = inmem.New
