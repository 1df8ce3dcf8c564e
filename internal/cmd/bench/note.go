package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

const (
	tablesBegin = "<!-- tables: written by make bench -->\n"
	tablesEnd   = "<!-- end of tables -->\n"
)

// replaceTables writes the tables between the markers of the note.
func replaceTables(note string, tables []string) error {
	content, err := os.ReadFile(note)
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(content), tablesBegin)
	_, after, ended := strings.Cut(rest, tablesEnd)
	if !begun || !ended {
		return fmt.Errorf("%s has no markers for the tables", note)
	}
	return os.WriteFile(note, []byte(before+tablesBegin+"\n"+strings.Join(tables, "\n")+"\n"+tablesEnd+after), 0o600)
}

// benchmark is a line of go test -benchmem.
var benchmark = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s.*?(\d+) B/op\s+(\d+) allocs/op$`)

// allocations returns the allocations in the Go benchmarks of the hot paths.
func (b *bench) allocations(context.Context) (string, error) {
	if b.micro == "" {
		return "", nil
	}
	output, err := os.ReadFile(b.micro)
	if err != nil {
		return "", err
	}
	found := benchmark.FindAllStringSubmatch(string(output), -1)
	if len(found) == 0 {
		return "", errors.New("go test -bench has found no benchmarks")
	}
	t := newTable("Hot paths: what one operation allocates", "benchmark", "KiB", "allocations")
	for _, line := range found {
		var bytes int
		if _, err := fmt.Sscan(line[2], &bytes); err != nil {
			return "", err
		}
		t.row("`"+line[1]+"`", fmt.Sprint(bytes>>10), line[3])
	}
	return t.text.String(), nil
}
