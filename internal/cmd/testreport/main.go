// Command testreport runs `go test -json` and tells what came out of it: the
// output of what failed, every skipped test by name with its reason, and one
// closing line of counts.
//
// A test that a command line tool is too old for skips itself, and to `go
// test` a skip looks like a success. With -no-skips it is a failure.
//
// Counted are tests without subtests, and the subtests of the others.
//
//	testreport [-title text] [-no-skips] [-tally file] -- go test arguments
//	testreport -total -tally file
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"time"
)

func main() {
	// An interrupt from the keyboard reaches the tests by itself. They clean up
	// and end, and what they said until then is reported.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with everything passed in; it returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("testreport", flag.ContinueOnError)
	flags.SetOutput(stderr)
	title := flags.String("title", "", "what is tested, printed before and after")
	noSkips := flags.Bool("no-skips", false, "a skipped test is a failure")
	tally := flags.String("tally", "", "`file` that the counts of several runs are added to")
	total := flags.Bool("total", false, "run nothing, print the sum of the tally")
	if err := flags.Parse(args); err != nil {
		return 2
	}

	if *total {
		return printTotal(*tally, stdout, stderr)
	}

	started := time.Now()
	if *title != "" {
		fmt.Fprintf(stdout, "=== %s\n", *title)
	}
	report := newReport(stdout, *noSkips)
	if err := runTests(report, flags.Args(), stderr); err != nil && report.counts().failed == 0 {
		report.failRun(err) // not a word in the events, such as on a broken go.mod
	}
	counts := report.counts()
	report.print(stdout)
	fmt.Fprintf(stdout, "--- %s (%s)\n", *title, time.Since(started).Round(time.Second))
	fmt.Fprintln(stdout, counts)

	if *tally != "" {
		if err := addToTally(*tally, counts); err != nil {
			fmt.Fprintln(stderr, "testreport:", err)
			return 1
		}
	}
	if counts.failed > 0 || counts.passed == 0 {
		return 1
	}
	return 0
}

// runTests runs `go test -json` and puts its events into the report. The error
// is that of the command, which also fails when a test does.
func runTests(report *report, args []string, stderr io.Writer) error {
	args = append([]string{"test", "-json"}, args...)
	command := exec.CommandContext(context.Background(), "go", args...)
	command.Stderr = stderr
	events, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	readErr := report.read(events)
	return errors.Join(readErr, command.Wait())
}
