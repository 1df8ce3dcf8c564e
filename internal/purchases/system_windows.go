package purchases

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// openWithoutWait is nothing: no path of a file is that of a pipe here.
const openWithoutWait = 0

// tryLock keeps others off a file until it is closed; errLocked if another has
// it. The locked byte is beyond its end, so that a person can read it
// meanwhile.
func tryLock(file *os.File) error {
	how := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY)
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return err
}

// checkDirectory finds nothing: only an attempt to make a file tells here.
func checkDirectory(string) error { return nil }
