//go:build !windows

package api

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps other processes off a file until it is closed. A file system that cannot
// lock keeps nobody off.
func lock(file *os.File) error {
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, unix.ENOLCK):
			return nil
		}
		return err
	}
}
