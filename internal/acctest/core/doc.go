// Package core is an in-process Terraform core: it calls a provider over its
// own protocol like Terraform 1.16, for resources given as Go values. A plan or
// apply takes milliseconds instead of a second, runs under the race detector,
// and checks the provider against the CLI's rules for plans and results.
//
// It does not support expressions between resources (UnknownUntilApply replaces
// them), nested blocks, modules, provisioners, checks and write-only
// attributes.
package core
