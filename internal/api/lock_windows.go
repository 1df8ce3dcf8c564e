package api

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock keeps others off a file until it is closed. It waits for them if told so. The
// locked byte is beyond its end, so that a person can read it meanwhile.
func lock(file *os.File, waits bool) error {
	how := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !waits {
		how |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	return windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
