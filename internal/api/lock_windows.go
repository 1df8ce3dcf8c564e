package api

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock keeps other processes off a file until it is closed. The locked byte is beyond
// its end, so that a person can read it meanwhile.
func lock(file *os.File) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
