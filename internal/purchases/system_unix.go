//go:build !windows

package purchases

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openWithoutWait lets open return at once for a pipe, even if no other process
// has opened it.
const openWithoutWait = unix.O_NONBLOCK

// tryLock locks a file against other processes until it is closed. The error is
// errLocked if another process holds the lock.
func tryLock(file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return errLocked
	}
	return err
}

// checkDirectory returns the reason why no file can be created in a directory.
func checkDirectory(path string) error {
	if err := unix.Access(path, unix.W_OK|unix.X_OK); err != nil {
		return &os.PathError{
			Op:   "write to",
			Path: path,
			Err:  err,
		}
	}
	return nil
}
