package main

import "io"

// Count is what testsum prints.
func Count(events io.Reader, noSkips bool) (passed, failed, skipped int) {
	return count(read(events, noSkips))
}
