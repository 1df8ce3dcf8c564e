// Command testsum adds up the `go test -json` report on standard input. Unlike
// gotestsum it counts subtests in place of their parent, and on request a
// skipped test as a failure.
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
	passed, failed, skipped := count(os.Stdin, *noSkips)
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

// count counts the failure of a parent only if nothing below it failed. A
// report that is cut off, or without tests, is a failure.
func count(report io.Reader, noSkips bool) (passed, failed, skipped int) {
	isParent, failedBelow := map[node]bool{}, map[node]bool{}
	for decoder := json.NewDecoder(report); ; {
		var event struct {
			node
			Action string
		}
		if err := decoder.Decode(&event); err != nil {
			if !errors.Is(err, io.EOF) || passed+failed == 0 {
				failed++
			}
			return passed, failed, skipped
		}
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
