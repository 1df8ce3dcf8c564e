package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// The files in testdata are what `go test -json` reported, without times and
// stacks.
func TestCount(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		runs    string // names of files in testdata
		more    string
		noSkips bool
		want    string
	}{
		"subtests count, not their parent":        {runs: "passes", want: "3 passed, 0 failed, 0 skipped"},
		"a failure is that of the innermost test": {runs: "fails", want: "2 passed, 2 failed, 0 skipped"},
		"skips are counted":                       {runs: "skips", want: "1 passed, 0 failed, 2 skipped"},
		"or are failures": {
			runs:    "skips",
			noSkips: true,
			want:    "1 passed, 2 failed, 0 skipped",
		},
		"a panic fails the test that never ended": {runs: "panics", want: "1 passed, 1 failed, 0 skipped"},
		"so does a time-out":                      {runs: "hangs", want: "1 passed, 1 failed, 0 skipped"},
		"a leak is a failure without a test":      {runs: "leaks", want: "1 passed, 1 failed, 0 skipped"},
		"so is what does not build":               {runs: "broken", want: "0 passed, 1 failed, 0 skipped"},
		"a package without tests is nothing": {runs: "passes none", noSkips: true, want: "3 passed, 0 failed, 0 " +
			"skipped"},
		"packages are told apart": {
			runs: "passes skips fails panics hangs leaks broken",
			want: "9 passed, 6 failed, 2 skipped",
		},
		"a run without tests has failed":        {runs: "none", want: "0 passed, 1 failed, 0 skipped"},
		"a run that reports nothing has failed": {want: "0 passed, 1 failed, 0 skipped"},
		"a run that fails after its packages has failed": {
			runs: "passes",
			more: `{"Action":"fail"}`,
			want: "3 passed, 1 failed, 0 skipped",
		},
		"once": {runs: "leaks", more: `{"Action":"fail"}`, want: "1 passed, 1 failed, 0 skipped"},
		"slashes in the name of a subtest make no parents": {
			more: `{"Action":"pass","Package":"p","Test":"T/a/b"} {"Action":"pass","Package":"p","Test":"T"} ` +
				`{"Action":"pass","Package":"p"}`,
			want: "1 passed, 0 failed, 0 skipped",
		},
		"what its tier leaves out is no skip": {runs: "tiers", noSkips: true, want: "2 passed, 0 failed, 0 skipped"},
		"a report that was cut off has failed": {runs: "passes", more: `{"Action":`, want: "3 passed, 1 failed, 0 " +
			"skipped"},
	} {
		var events strings.Builder
		for run := range strings.FieldsSeq(test.runs) {
			report, err := os.ReadFile(filepath.Join("testdata", run+".json"))
			check.Must(t, err)
			events.Write(report)
		}
		events.WriteString(test.more)
		check.Equal(
			t,
			name,
			count(strings.NewReader(events.String()), io.Discard, test.noSkips).String(),
			test.want,
		)
	}
}

// A subtest is in the tier of its nearest parent that has one.
func TestTiers(t *testing.T) {
	t.Parallel()
	report, err := os.Open(filepath.Join("testdata", "tiers.json"))
	check.Must(t, err)
	defer report.Close()
	got := count(report, io.Discard, false).tiers.String()
	check.Equal(t, "tiers", got, "=== Tiers that ran: 1 long, 1 short\n=== Left to other tiers: 1 long, 1 nightly\n")
}

// A person sees which packages ran, why a test failed or was skipped, and what
// a panic cut off.
func TestScreen(t *testing.T) {
	t.Parallel()
	for run, test := range map[string]struct{ says, not []string }{
		"passes": {says: []string{"pass "}, not: []string{"--- PASS", "=== RUN"}},
		"fails":  {says: []string{"--- FAIL: ", "_test.go:", "fail "}, not: []string{"--- PASS", "=== RUN"}},
		"skips":  {says: []string{"--- SKIP: ", "pass "}},
		"tiers":  {says: []string{"pass "}, not: []string{"--- SKIP: "}},
		"panics": {says: []string{"panic: ", "fail "}},
		"hangs":  {says: []string{"panic: test timed out"}},
		"leaks":  {says: []string{"goleak: ", "fail "}},
		"broken": {says: []string{"undefined: "}},
	} {
		report, err := os.ReadFile(filepath.Join("testdata", run+".json"))
		check.Must(t, err)
		var seen strings.Builder
		count(bytes.NewReader(report), &seen, false)
		check.Contains(t, run, seen.String(), test.says...)
		for _, text := range test.not {
			check.True(t, run+": it is not shown", !strings.Contains(seen.String(), text), text, &seen)
		}
	}
}
