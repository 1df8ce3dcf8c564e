// Package bucket keeps a log of purchases in a bucket: at Amazon S3 and servers
// that speak its protocol, at Google Cloud Storage, or at Azure Blob Storage.
//
// An object of the log is an entry that is written once, by the first writer.
// The bucket itself decides who is first, by a write that succeeds only if no
// object exists. Nothing is ever changed or deleted, so that a role may be
// limited to reading, listing and adding.
//
// The package links no client of a cloud. The clients are gocloud.dev's
// drivers, which register themselves in the program that imports them: main,
// and the tests of internal/acctest/engines.
package bucket
