// Package live asks a real service what the tests ask a mock, and reports how its
// replies differ from the contract: `make testacc-live`.
package live
