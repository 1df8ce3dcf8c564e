//go:build !windows

package purchases

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// openWithoutWait lets a file be opened that another process would have to open
// too.
const openWithoutWait = unix.O_NONBLOCK

// tryLock keeps others off a file until it is closed; errLocked if another has
// it.
func tryLock(file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return errLocked
	}
	return err
}

// checkDirectory says why no file can be made in a directory.
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
