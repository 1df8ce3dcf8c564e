// Command testsum counts what a `go test -json` on standard input reports, for
// what gotestsum cannot do: subtests count in place of their parent, and with
// -no-skips a skipped test is a failure.
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
	noSkips := flag.Bool("no-skips", false, "a skipped test is a failure")
	flag.Parse()
	passed, failed, skipped := count(read(os.Stdin, *noSkips))
	fmt.Printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 {
		os.Exit(1)
	}
}

// node is a test of a package; without a name it is the package itself, and
// without a package the whole run.
type node struct{ Package, Test string }

func (n node) contains(other node) bool {
	switch {
	case n.Package == "":
		return other.Package != ""
	case n.Test == "":
		return other.Package == n.Package && other.Test != ""
	}
	return other.Package == n.Package && strings.HasPrefix(other.Test, n.Test+"/")
}

// read is what became of each node. What has begun and not ended has failed.
func read(events io.Reader, noSkips bool) map[node]string {
	results := map[node]string{}
	for decoder := json.NewDecoder(events); ; {
		var event struct {
			node
			Action string
		}
		switch err := decoder.Decode(&event); {
		case errors.Is(err, io.EOF):
			return results
		case err != nil:
			results[node{}] = "fail"
			return results
		}
		switch event.Action {
		case "start", "run":
			results[event.node] = "fail"
		case "pass", "fail":
			results[event.node] = event.Action
		case "skip": // a package that skips has no tests
			results[event.node] = map[bool]string{true: "fail", false: "skip"}[noSkips && event.Test != ""]
		}
	}
}

// count takes a failure for that of what contains it only if nothing in there
// failed: then a package did not build, say, or left a goroutine behind. A run
// in which nothing passed has failed.
func count(results map[node]string) (passed, failed, skipped int) {
	for n, result := range results {
		isParent, failedBelow := false, false
		for other, below := range results {
			isParent = isParent || n.contains(other)
			failedBelow = failedBelow || below == "fail" && n.contains(other)
		}
		switch {
		case result == "fail" && !failedBelow:
			failed++
		case result == "pass" && n.Test != "" && !isParent:
			passed++
		case result == "skip" && n.Test != "":
			skipped++
		}
	}
	if passed+failed == 0 {
		failed = 1
	}
	return passed, failed, skipped
}
