package api

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// startOf returns when a process was started; empty if there is none. It is not known
// if the system does not say.
func startOf(pid int) (started string, known bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		// The system answers for a process that has ended with nothing.
		return "", errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EIO)
	}
	at := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), true
}
