// Package engines starts servers of buckets for tests: two in process, which
// speak the protocols of Amazon S3 and Google Cloud Storage, and two programs,
// which speak the protocols of S3 and of Azure Blob Storage.
//
// Each is behind a proxy that counts requests, and that loses, refuses or holds
// back requests for a test. The clients of the clouds take their settings from
// the environment of the process: Main sets it, and a test of a program passes
// Engine.Environment to it.
package engines
