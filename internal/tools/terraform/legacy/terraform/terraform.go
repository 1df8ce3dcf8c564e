// Package terraform stands in for Terraform's unpublished legacy code, which
// only its tests use.
package terraform
