// Package core is a Terraform core in process: it does to a provider, over
// the provider's own protocol, what Terraform 1.16 does, for resources that
// are given as Go values. A scenario of plans and applies takes milliseconds
// instead of a second a command, runs under the race detector, and holds the
// provider to the CLI's rules about plans and results.
//
// What it leaves out: expressions between resources (UnknownUntilApply stands
// for them), nested blocks, modules, provisioners, checks, deferred changes
// and write-only attributes.
package core
