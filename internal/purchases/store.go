package purchases

import (
	"context"
	"errors"
)

// Store keeps the objects of a log that is not a file. The objects are numbered
// from 1, without a gap, and written once. A bucket is a Store, and a table of
// a database could be.
type Store interface {
	// Create writes the object of a number, as a whole or not at all. The error
	// is ErrExists if an object already has the number, whoever wrote it, and
	// ErrDenied if the caller lacks the right. After any other error nobody
	// knows whether the object was written.
	Create(ctx context.Context, number int64, content []byte) error
	// Read returns the object of a number. If there is none, the error is
	// ErrNoObject.
	Read(ctx context.Context, number int64) ([]byte, error)
	// Newest returns the highest number; 0 if the store has no object yet.
	Newest(ctx context.Context) (int64, error)
}

// The final answers of a Store about a number. A repeated request would not
// change them.
var (
	ErrExists   = errors.New("the object exists already")
	ErrNoObject = errors.New("there is no such object")
	ErrDenied   = errors.New("the store denies it")
)

// StoreError says why a store could not be read. Its reason names the store.
type StoreError struct{ Err error }

func (e *StoreError) Error() string { return e.Err.Error() }

// Unwrap returns the store's error.
func (e *StoreError) Unwrap() error { return e.Err }
