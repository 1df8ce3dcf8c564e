//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// memoryOf is the most that a process has had, in bytes.
func memoryOf(ended *os.ProcessState) int64 {
	resources, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // where it is in bytes
		return resources.Maxrss
	}
	return resources.Maxrss * 1024
}
