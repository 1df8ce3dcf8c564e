// Command testsum reads the `go test -json` report on standard input. It shows
// packages, failures and skips on standard error, and their numbers on standard
// output. Subtests count in place of their parent.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	noSkips := flag.Bool("no-skips", false, "count a skipped test as a failure")
	flag.Parse()
	passed, failed, skipped := count(os.Stdin, os.Stderr, *noSkips)
	fmt.Printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 {
		os.Exit(1)
	}
}

// node is a test, a package (no test) or the whole run (no package).
type node struct{ Package, Test string }

func (n node) parent() node {
	if n.Test == "" {
		return node{}
	}
	return node{n.Package, n.Test[:max(strings.LastIndex(n.Test, "/"), 0)]}
}

// event is a line of the report.
type event struct {
	node
	Action, Output string
	Elapsed        float64
}

// count counts the failure of a parent only if nothing below it failed. A
// report that is cut off, or without tests, is a failure.
func count(report io.Reader, display io.Writer, noSkips bool) (passed, failed, skipped int) {
	isParent, failedBelow := map[node]bool{}, map[node]bool{}
	show := screen{display, map[node][]string{}}
	for decoder := json.NewDecoder(report); ; {
		var event event
		if err := decoder.Decode(&event); err != nil {
			if !errors.Is(err, io.EOF) || passed+failed == 0 {
				failed++
			}
			return passed, failed, skipped
		}
		show.event(event)
		isTest := event.Test != ""
		fails := event.Action == "fail" || noSkips && isTest && event.Action == "skip"
		switch {
		case fails && !failedBelow[event.node]:
			failed++
		case event.Action == "pass" && isTest && !isParent[event.node]:
			passed++
		case event.Action == "skip" && isTest && !fails:
			skipped++
		}
		for n := event.node; n != (node{}); {
			n = n.parent()
			isParent[n] = true
			failedBelow[n] = failedBelow[n] || fails
		}
	}
}
