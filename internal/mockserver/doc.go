// Package mockserver is the service of interface version 2.0.0, in one
// process: stateful, strict in what it takes, and deterministic.
//
// It serves the 18 endpoints under /v2, the token exchange under
// /auth/generate-token, a customer's token provider under /token-provider, the
// generated images under /media, and its own administration under /_mock.
//
// Nothing runs in the background: the state of a generation or a training is a
// function of its creation time and [Options].Now, so that a test with a clock
// of its own decides when work is done. Every request and every reply is
// validated against openapi.yaml; a request that breaks it is refused and
// reported to [Options].OnViolation.
//
// What the contract leaves open is a [Variant]; what goes wrong is a [Fault].
// The wire types are the package's own, so that a wrong JSON tag in the client
// cannot be right on both sides.
package mockserver
