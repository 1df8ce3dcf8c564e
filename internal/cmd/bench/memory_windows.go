package main

import "os"

// memoryOf is not known.
func memoryOf(*os.ProcessState) int64 { return 0 }
