//go:build !windows

package api

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps others off a file until it is closed. It waits for them if told so.
func lock(file *os.File, waits bool) error {
	how := unix.LOCK_EX
	if !waits {
		how |= unix.LOCK_NB
	}
	for {
		if err := unix.Flock(int(file.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
