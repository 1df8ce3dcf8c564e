//go:build unix

package main

import "syscall"

// ownGroup is a process group that a Ctrl-C in the terminal does not reach.
var ownGroup = &syscall.SysProcAttr{Setpgid: true}
