package main_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	testreport "github.com/mediagen/terraform-provider-mediagen/internal/cmd/testreport"
)

// events renders lines of "action test output" as `go test -json` would; "-"
// stands for the package itself.
func events(t *testing.T, lines ...string) string {
	t.Helper()
	var text strings.Builder
	for _, line := range lines {
		fields := strings.SplitN(line, " ", 3)
		event := map[string]string{"Action": fields[0], "Package": "example.test/p"}
		if fields[1] != "-" {
			event["Test"] = fields[1]
		}
		if len(fields) == 3 {
			event["Output"] = fields[2] + "\n"
		}
		encoded, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(encoded)
		text.WriteByte('\n')
	}
	return text.String()
}

func TestReport(t *testing.T) {
	t.Parallel()
	skipped := []string{
		"run TestA", "output TestA === RUN   TestA", "output TestA     a_test.go:1: CLI too old",
		"output TestA --- SKIP: TestA (0.00s)", "skip TestA", "run TestB", "pass TestB", "pass -",
	}
	tests := map[string]struct {
		events  string
		noSkips bool
		counts  string
		says    []string
		silent  []string
	}{
		"subtests count, not their parent": {
			events: events(t, "run TestA", "run TestA/one", "run TestA/two", "pass TestA/one", "pass TestA/two", "pass TestA", "pass -"),
			counts: "2 passed, 0 failed, 0 skipped",
			says:   []string{"pass example.test/p"},
		},
		"a failed subtest is one failure": {
			events: events(t, "run TestA", "run TestA/one", "run TestA/two", "output TestA/one     a_test.go:1: wrong sum",
				"fail TestA/one", "pass TestA/two", "fail TestA", "fail -"),
			counts: "1 passed, 1 failed, 0 skipped",
			says:   []string{"FAIL example.test/p TestA/one\n", "wrong sum"},
			silent: []string{"FAIL example.test/p TestA\n"},
		},
		"a parent that fails by itself is a failure": {
			events: events(t, "run TestA", "run TestA/one", "pass TestA/one", "output TestA     a_test.go:9: leftover", "fail TestA", "fail -"),
			counts: "1 passed, 1 failed, 0 skipped",
			says:   []string{"leftover"},
		},
		"a skip is named with its reason": {
			events: events(t, skipped...),
			counts: "1 passed, 0 failed, 1 skipped",
			says:   []string{"SKIP example.test/p TestA: a_test.go:1: CLI too old\n"},
			silent: []string{"=== RUN", "FAIL"},
		},
		"a skip where nothing may be skipped fails": {
			events:  events(t, skipped...),
			noSkips: true,
			counts:  "1 passed, 1 failed, 0 skipped",
			says:    []string{"FAIL (skipped, and nothing may be skipped here) example.test/p TestA", "CLI too old"},
		},
		"a test that never ended is a failure": {
			events: events(t, "run TestA", "output TestA panic: boom", "fail -"),
			counts: "0 passed, 1 failed, 0 skipped",
			says:   []string{"FAIL (did not end) example.test/p TestA", "panic: boom"},
		},
		"a package that fails after its tests is a failure": {
			events: events(t, "run TestA", "pass TestA", "output - leaked goroutine", "fail -"),
			counts: "1 passed, 1 failed, 0 skipped",
			says:   []string{"FAIL example.test/p\nleaked goroutine\n"},
		},
		"a package that does not build is a failure": {
			events: `{"ImportPath":"example.test/p [p.test]","Action":"build-output","Output":"undefined: x\n"}
{"ImportPath":"example.test/p [p.test]","Action":"build-fail"}
{"Action":"fail","Package":"example.test/p","FailedBuild":"example.test/p [p.test]"}
{"Action":"fail","Package":"example.test/q","FailedBuild":"example.test/p [p.test]"}`,
			counts: "0 passed, 2 failed, 0 skipped",
			says:   []string{"undefined: x"},
		},
		"a package without tests is passed over": {
			events: events(t, "output - ?   \texample.test/p\t[no test files]", "skip -"),
			counts: "0 passed, 0 failed, 0 skipped",
			silent: []string{"example.test/p"},
		},
		"what is no event is shown": {
			events: "go: downloading something\n" + events(t, "run TestA", "pass TestA", "pass -"),
			counts: "1 passed, 0 failed, 0 skipped",
			says:   []string{"go: downloading something"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said strings.Builder
			counts, err := testreport.Report(strings.NewReader(test.events), test.noSkips, &said)
			if err != nil {
				t.Fatal(err)
			}
			if counts != test.counts {
				t.Errorf("counts %q, want %q", counts, test.counts)
			}
			for _, text := range test.says {
				if !strings.Contains(said.String(), text) {
					t.Errorf("does not say %q:\n%s", text, said.String())
				}
			}
			for _, text := range test.silent {
				if strings.Contains(said.String(), text) {
					t.Errorf("says %q:\n%s", text, said.String())
				}
			}
		})
	}
}

func TestTotalSumsTheRuns(t *testing.T) {
	t.Parallel()
	tally := filepath.Join(t.TempDir(), "tally")
	for _, run := range [][3]int{{10, 0, 0}, {20, 0, 3}} {
		if err := testreport.AddToTally(tally, run[0], run[1], run[2]); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	if code := testreport.Run([]string{"-total", "-tally", tally}, &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if want := "30 passed, 0 failed, 3 skipped\n"; stdout.String() != want {
		t.Errorf("said %q, want %q", stdout.String(), want)
	}
	if err := testreport.AddToTally(tally, 5, 1, 0); err != nil {
		t.Fatal(err)
	}
	if code := testreport.Run([]string{"-total", "-tally", tally}, &stdout, &stderr); code != 1 {
		t.Errorf("exit code %d with a failure in the tally, want 1", code)
	}
}

func TestARunWithoutTestsFails(t *testing.T) {
	t.Parallel()
	var stdout, stderr strings.Builder
	if code := testreport.Run([]string{"--", "-run", "^NoSuchTest$", "."}, &stdout, &stderr); code != 1 {
		t.Errorf("exit code %d, want 1:\n%s", code, stdout.String())
	}
	if !strings.HasSuffix(stdout.String(), "\n0 passed, 0 failed, 0 skipped\n") {
		t.Errorf("closes with %q", stdout.String())
	}
}
