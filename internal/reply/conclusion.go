package reply

import (
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// UnprovenError is a 404 or 410 that does not prove that an object is gone;
// Reason says what the proof lacks. Dropping the object would cause it to be
// bought again.
type UnprovenError struct {
	Err    *Error
	Reason string
}

func (e *UnprovenError) Error() string {
	return fmt.Sprintf("%s; this does not prove that it is gone: %s", e.Err, e.Reason)
}

func (e *UnprovenError) Unwrap() error { return e.Err }

// Is makes a wait continue.
func (e *UnprovenError) Is(target error) bool { return target == wait.ErrInconclusive }

// AddressError says that base_url, at Address, is not the service's: this run
// found nothing there.
type AddressError struct {
	Err     *Error
	Address string
}

func (e *AddressError) Error() string {
	return fmt.Sprintf("%s; nothing that this run has asked for was found at %s", e.Err, e.Address)
}

func (e *AddressError) Unwrap() error { return e.Err }
