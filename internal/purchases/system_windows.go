package purchases

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// openWithoutWait is empty: on Windows no file path is the path of a pipe.
const openWithoutWait = 0

// tryLock locks a file against other processes until it is closed. The error is
// errLocked if another process holds the lock. The locked byte is beyond the
// end of the file, so that a person can read the file meanwhile.
func tryLock(file *os.File) error {
	how := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY)
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return err
}

// checkDirectory finds nothing: on Windows only an attempt to create a file
// tells.
func checkDirectory(string) error { return nil }
