// Command testsum reads the `go test -json` report on standard input. It shows
// packages, failures and skips on standard error, and their numbers on standard
// output. Subtests count in place of their parent. A test that its tier leaves
// to another run is no skip, and is counted separately.
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
	sum := count(os.Stdin, os.Stderr, *noSkips)
	fmt.Fprint(os.Stderr, sum.tiers)
	fmt.Println(sum)
	if sum.failed > 0 {
		os.Exit(1)
	}
}

// sum is the result of a run.
type sum struct {
	passed, failed, skipped int
	tiers                   tiers
}

func (s sum) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", s.passed, s.failed, s.skipped)
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
	Key, Value     string // of an attribute
	Elapsed        float64
}

// count counts the failure of a parent only if nothing below it failed. A
// report that is cut off, or without tests, is a failure.
func count(report io.Reader, display io.Writer, noSkips bool) sum {
	var s sum
	s.tiers = newTiers()
	isParent := map[node]bool{}
	failedBelow := map[node]bool{}
	show := screen{display, map[node][]string{}}
	for decoder := json.NewDecoder(report); ; {
		var event event
		if err := decoder.Decode(&event); err != nil {
			isEmpty := s.passed+s.failed == 0 && len(s.tiers.leftOut) == 0
			if !errors.Is(err, io.EOF) || isEmpty {
				s.failed++
			}
			return s
		}
		s.tiers.event(event)
		isLeaf := event.Test != "" && !isParent[event.node]
		if event.Action == "skip" && s.tiers.isLeftOut(event.node) {
			show.forget(event.node)
			event.Action = "left out"
		}
		show.event(event)
		fails := event.Action == "fail" || noSkips && event.Test != "" && event.Action == "skip"
		switch {
		case fails && !failedBelow[event.node]:
			s.failed++
		case event.Action == "pass" && isLeaf:
			s.passed++
			s.tiers.passed(event.node)
		case event.Action == "skip" && event.Test != "" && !fails:
			s.skipped++
		}
		for n := event.node; n != (node{}); {
			n = n.parent()
			isParent[n] = true
			failedBelow[n] = failedBelow[n] || fails
		}
	}
}
