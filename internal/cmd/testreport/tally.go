package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// counts is how many tests ended in which way.
type counts struct{ passed, failed, skipped int }

const countsFormat = "%d passed, %d failed, %d skipped"

func (c counts) String() string {
	return fmt.Sprintf(countsFormat, c.passed, c.failed, c.skipped)
}

// addToTally appends the counts of one run to the file.
func addToTally(name string, c counts) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(file, c); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}

// readTally sums the file's lines.
func readTally(name string) (counts, error) {
	file, err := os.Open(name)
	if err != nil {
		return counts{}, err
	}
	defer file.Close()
	var sum counts
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var c counts
		if _, err := fmt.Sscanf(lines.Text(), countsFormat, &c.passed, &c.failed, &c.skipped); err != nil {
			return counts{}, fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
		}
		sum.passed += c.passed
		sum.failed += c.failed
		sum.skipped += c.skipped
	}
	return sum, lines.Err()
}

// printTotal closes several runs with the sum of their counts.
func printTotal(name string, stdout, stderr io.Writer) int {
	sum, err := readTally(name)
	if err != nil {
		fmt.Fprintln(stderr, "testreport:", err)
		return 1
	}
	fmt.Fprintln(stdout, sum)
	if sum.failed > 0 {
		return 1
	}
	return 0
}
