package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Each rule finds what breaks it, and nothing else.
func TestStyle(t *testing.T) {
	t.Parallel()
	command := filepath.Join(t.TempDir(), "style")
	output, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", command, ".").
		CombinedOutput()
	check.True(t, "it builds", err == nil, string(output))
	const (
		declares = "move what is not a declaration before the statement"
		reads    = "let the condition read what it declares"
		lines    = "write one assignment a line"
		fields   = "write one field a line"
	)
	for statement, want := range map[string]string{
		"if x := f(); x > 0 {}":           "",
		"if x = f(); x > 0 {}":            declares,
		"if f(); x > 0 {}":                declares,
		"if y := f(); x > 0 { _ = y }":    reads,
		"if _, err := g(); err != nil {}": "",
		"switch y := f(); {case y > 0:}":  "",
		"switch y := f(); x {case y:}":    reads,
		"switch f(); x {case 1:}":         declares,
		"a, b := 1, 2":                    lines,
		"x, y = f(), 2":                   lines,
		"x, y = y, x":                     "",
		"m[0], m[1] = m[1], m[0]":         "",
		"m.a, m.b = m.b, m.a":             "",
		"m.a, m.b = m.b, m.c":             lines,
		"a, err := g()":                   "",
		"for i, j := 0, 1; i < j; i++ {}": lines,
		"_ = T{A: 1, B: 2, C: 3}":         fields,
		"_ = T{A: 1, B: 2}":               "",
		"_ = T{\nA: 1,\nB: 2,\nC: 3}":     "",
		"_ = []T{{A: 1, B: 2, C: 3}}":     fields,
		"_ = T{1, 2, 3}":                  "",
		`_ = map[K]int{A: 1, B: 2, C: 3}`: "",
		`_ = M{"a": 1, "b": 2, "c": 3}`:   "",
	} {
		directory := t.TempDir()
		source := "package p\n\nfunc f() {\n" + statement + "\n}\n"
		check.Must(t, os.WriteFile(filepath.Join(directory, "p.go"), []byte(source), 0o600))
		output, err := exec.CommandContext(t.Context(), command, directory).Output()
		_, said, _ := strings.Cut(strings.TrimSpace(string(output)), ": ")
		check.Equal(t, statement, said, want)
		check.True(t, statement+": the exit code", (err != nil) == (want != ""), err)
	}
}

// A case of a table is one line.
func TestStyle_tests(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	source := "package p\n\nvar _ = T{A: 1, B: 2, C: 3}\n"
	check.Must(t, os.WriteFile(filepath.Join(directory, "p_test.go"), []byte(source), 0o600))
	output, err := exec.CommandContext(t.Context(), "go", "run", ".", directory).CombinedOutput()
	check.True(t, "it is allowed", err == nil && len(output) == 0, err, string(output))
}
