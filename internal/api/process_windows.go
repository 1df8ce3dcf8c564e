package api

import (
	"errors"
	"strconv"

	"golang.org/x/sys/windows"
)

// startOf returns when a process was started; empty if there is none. It is not known
// if the system does not say.
func startOf(pid int) (started string, known bool) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return "", errors.Is(err, windows.ERROR_INVALID_PARAMETER)
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if event, err := windows.WaitForSingleObject(process, 0); err == nil && event == windows.WAIT_OBJECT_0 {
		return "", true // ended, and known to who has a handle
	}
	var creation, exit, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &creation, &exit, &kernel, &user) != nil {
		return "", false
	}
	return strconv.FormatInt(creation.Nanoseconds(), 10), true
}
