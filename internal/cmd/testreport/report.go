package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is one line of `go test -json`, see `go doc test2json`.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build events, which have no Package
	Test        string
	Output      string
	FailedBuild string
}

// key names a test, or a package when test is empty.
type key struct{ pkg, test string }

func (k key) String() string {
	if k.test == "" {
		return k.pkg
	}
	return k.pkg + " " + k.test
}

// outcome is what became of one test or package, and what it printed.
type outcome struct {
	result string // pass, fail, skip; empty: not ended
	output []string
	parent bool // it has subtests, which are counted in its place
}

// report collects the events of one run.
type report struct {
	progress io.Writer // told of each package when it ends
	noSkips  bool      // a skipped test is a failure
	outcomes map[key]*outcome
	order    []key
	builds   map[string][]string // what the compiler said, until it is shown
}

func newReport(progress io.Writer, noSkips bool) *report {
	return &report{progress: progress, noSkips: noSkips, outcomes: map[key]*outcome{}, builds: map[string][]string{}}
}

// of is the record of a test or package, which it starts if there is none.
func (r *report) of(k key) *outcome {
	if r.outcomes[k] == nil {
		r.outcomes[k] = &outcome{}
		r.order = append(r.order, k)
	}
	return r.outcomes[k]
}

// read takes in events until the stream ends. A line that is no event is the
// go command's own text, and is shown.
func (r *report) read(stream io.Reader) error {
	lines := bufio.NewReader(stream)
	for {
		line, err := lines.ReadString('\n')
		if text := strings.TrimSpace(line); text != "" {
			var e event
			if json.Unmarshal([]byte(text), &e) == nil && e.Action != "" {
				r.add(e)
			} else {
				fmt.Fprintln(r.progress, text)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) add(e event) {
	switch e.Action {
	case "build-output":
		r.builds[e.ImportPath] = append(r.builds[e.ImportPath], e.Output)
	case "output":
		r.of(key{e.Package, e.Test}).print(e.Output)
	case "run":
		r.of(key{e.Package, e.Test})
		// Every level above is a parent, also of a subtest with a slash in its name.
		for name := e.Test; ; {
			slash := strings.LastIndex(name, "/")
			if slash < 0 {
				break
			}
			name = name[:slash]
			if parent := r.outcomes[key{e.Package, name}]; parent != nil {
				parent.parent = true
			}
		}
	case "pass", "fail", "skip":
		o := r.of(key{e.Package, e.Test})
		o.result = e.Action
		if e.Test != "" {
			break
		}
		// Many packages may fail by one that does not build: it is shown once.
		o.output = append(o.output, r.builds[e.FailedBuild]...)
		delete(r.builds, e.FailedBuild)
		r.packageEnded(e)
	}
}

// print keeps a line of output, without the framing that says nothing.
func (o *outcome) print(line string) {
	text := strings.TrimSpace(line)
	for _, frame := range []string{"=== RUN", "=== PAUSE", "=== CONT", "=== NAME"} {
		if strings.HasPrefix(text, frame) {
			return
		}
	}
	o.output = append(o.output, line)
}

func (r *report) packageEnded(e event) {
	output := r.outcomes[key{pkg: e.Package}].output
	untested := slices.ContainsFunc(output, func(line string) bool {
		return strings.Contains(line, "[no test files]") || strings.Contains(line, "[no tests to run]")
	})
	if !untested {
		fmt.Fprintf(r.progress, "%-4s %s\n", e.Action, e.Package)
	}
}

// failRun records a failure that belongs to no package.
func (r *report) failRun(err error) {
	o := r.of(key{pkg: "go test"})
	o.result = "fail"
	o.output = append(o.output, err.Error()+"\n")
}

// failures are the tests that failed or never ended. A parent stands for
// itself only if none of its subtests failed, a package only if none of its
// tests did: then it did not build, or panicked, or leaked after the tests.
func (r *report) failures() []key {
	var failed []key
	for _, k := range r.order {
		if k.test != "" && r.failed(k) && !r.failedBelow(k) {
			failed = append(failed, k)
		}
	}
	for _, k := range r.order {
		inPackage := func(f key) bool { return f.pkg == k.pkg }
		if k.test == "" && r.outcomes[k].result == "fail" && !slices.ContainsFunc(failed, inPackage) {
			failed = append(failed, k)
		}
	}
	return failed
}

// failed is true for a test that failed, never ended, or skipped itself where
// it may not.
func (r *report) failed(k key) bool {
	switch r.outcomes[k].result {
	case "pass":
		return false
	case "skip":
		return r.noSkips
	}
	return true
}

func (r *report) failedBelow(k key) bool {
	return r.outcomes[k].parent && slices.ContainsFunc(r.order, func(other key) bool {
		return other.pkg == k.pkg && strings.HasPrefix(other.test, k.test+"/") && r.failed(other)
	})
}

// skips are the tests that skipped themselves and were free to.
func (r *report) skips() []key {
	if r.noSkips {
		return nil
	}
	var skipped []key
	for _, k := range r.order {
		if k.test != "" && r.outcomes[k].result == "skip" {
			skipped = append(skipped, k)
		}
	}
	return skipped
}

func (r *report) counts() counts {
	c := counts{failed: len(r.failures()), skipped: len(r.skips())}
	for _, k := range r.order {
		if o := r.outcomes[k]; k.test != "" && o.result == "pass" && !o.parent {
			c.passed++
		}
	}
	return c
}

// print writes failures with their output, then skips with their reasons.
func (r *report) print(w io.Writer) {
	for _, k := range r.failures() {
		o := r.outcomes[k]
		fmt.Fprintf(w, "\n%s %s\n%s", o.verdict(), k, strings.Join(o.output, ""))
	}
	for i, k := range r.skips() {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "SKIP %s: %s\n", k, r.outcomes[k].reason())
	}
}

// verdict heads the output of a failure.
func (o *outcome) verdict() string {
	switch o.result {
	case "skip":
		return "FAIL (skipped, and nothing may be skipped here)"
	case "":
		return "FAIL (did not end)"
	}
	return "FAIL"
}

// reason is what a skipped test said, on one line.
func (o *outcome) reason() string {
	var words []string
	for _, line := range o.output {
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "--- SKIP") {
			words = append(words, text)
		}
	}
	if len(words) == 0 {
		return "no reason given"
	}
	return strings.Join(words, " ")
}
