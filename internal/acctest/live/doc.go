// Package live sends the requests of the tests to a real service, and reports
// how its replies differ from the contract: `make testacc-live`.
package live
