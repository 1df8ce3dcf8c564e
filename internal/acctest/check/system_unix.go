//go:build unix

package check

import (
	"syscall"
	"testing"
)

// MakeFIFO makes a FIFO.
func MakeFIFO(_ testing.TB, path string) error { return syscall.Mkfifo(path, 0o600) }
