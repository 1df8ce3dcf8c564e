package main

import "os"

// memoryOf returns 0, because the memory is not known.
func memoryOf(*os.ProcessState) int64 { return 0 }
