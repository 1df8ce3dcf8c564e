//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// memoryOf returns the largest memory that a process has used, in bytes.
func memoryOf(ended *os.ProcessState) int64 {
	resources, ok := ended.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes on this system
		return resources.Maxrss
	}
	return resources.Maxrss * 1024
}
