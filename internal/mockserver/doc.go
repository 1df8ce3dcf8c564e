// Package mockserver is the service of interface version 2.0.0 in one process:
// stateful, strict about requests, and deterministic.
//
// It serves the 18 endpoints under /v2, the token exchange under
// /auth/generate-token, a customer's token provider under /token-provider, the
// generated images under /media, and its own administration under /_mock. With
// [Options].Extended it also serves the additional endpoints of some
// deployments.
//
// Nothing runs in the background: the state of a generation or a training
// follows from its creation time and [Options].Now, so that a test with its own
// clock decides when work is done. Every request and every reply is validated
// against openapi.yaml, or the extension's extended.yaml; a request that
// violates it is refused and reported to [Options].OnViolation.
//
// A [Variant] chooses among behaviours that the contract leaves open; a [Fault]
// makes requests go wrong. The wire types are the package's own, so that client
// and mock cannot share a wrong JSON tag.
package mockserver
