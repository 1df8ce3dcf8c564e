package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// screen shows the parts of a report that a person wants to see: a test's
// output only if the test fails or is skipped.
type screen struct {
	io.Writer
	printed map[node][]string
}

func (s screen) event(e event) {
	switch e.Action {
	case "build-output":
		fmt.Fprint(s, e.Output)
	case "output":
		s.printed[e.node] = append(s.printed[e.node], e.Output)
	case "pass", "fail", "skip":
		s.end(e)
	}
}

func (s screen) end(e event) {
	isPackage := e.Package != "" && e.Test == ""
	if isPackage && e.Action == "fail" {
		s.unended(e.Package)
	}
	switch {
	case isPackage && e.Action != "skip":
		fmt.Fprintf(s, "%s %s (%.1fs)\n", e.Action, e.Package, e.Elapsed)
	case e.Action != "pass" && e.Test != "":
		s.flush(e.node)
	}
	delete(s.printed, e.node)
}

// forget drops the output of a test.
func (s screen) forget(n node) { delete(s.printed, n) }

// unended shows the remaining output of a package that fails: its own, and the
// output of tests that a panic or a time-out has cut off.
func (s screen) unended(name string) {
	byName := func(a, b node) int { return strings.Compare(a.Test, b.Test) }
	for _, n := range slices.SortedFunc(maps.Keys(s.printed), byName) {
		if n.Package == name {
			s.flush(n)
		}
	}
}

func (s screen) flush(n node) {
	for _, line := range s.printed[n] {
		if !strings.HasPrefix(line, "=== ") {
			fmt.Fprint(s, line)
		}
	}
	delete(s.printed, n)
}
