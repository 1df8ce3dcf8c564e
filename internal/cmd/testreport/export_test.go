package main

import "io"

// Run is main without the process around it.
var Run = run

// Report reads events and prints what testreport would say of them.
func Report(events io.Reader, noSkips bool, w io.Writer) (string, error) {
	r := newReport(w, noSkips)
	if err := r.read(events); err != nil {
		return "", err
	}
	r.print(w)
	return r.counts().String(), nil
}

// AddToTally adds counts to a tally file.
func AddToTally(name string, passed, failed, skipped int) error {
	return addToTally(name, counts{passed, failed, skipped})
}
