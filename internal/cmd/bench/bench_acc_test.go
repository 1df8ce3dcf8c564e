package main_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
)

func TestAccBench(t *testing.T) {
	tier.Long(t, "the benchmarks, 30 seconds")
	tier.OneCLI(t, "what the benchmarks measure")
	tier.Nightly(t, "whether benchmarks run concerns no change of the provider")
	t.Parallel()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("acceptance tests need TF_ACC, see CONTRIBUTING.md")
	}
	cli, err := exec.LookPath(cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"))
	check.Must(t, err)
	directory := t.TempDir()
	for name, source := range map[string]string{
		"bench":                       ".",
		"terraform-provider-blank":    "./blank",
		"terraform-provider-mediagen": "../../..",
	} {
		build := exec.CommandContext(
			t.Context(),
			"go",
			"build",
			"-buildvcs=false",
			"-o",
			filepath.Join(directory, name),
			source,
		)
		if output, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %s\n%s", build, err, output)
		}
	}
	note := filepath.Join(directory, "note.md")
	micro := filepath.Join(directory, "micro.txt")
	for file, content := range map[string]string{
		note:  "Before.\n<!-- tables: written by make bench -->\nold\n<!-- end of tables -->\nAfter.\n",
		micro: "BenchmarkDecode/page-2   \t  10\t 1234 ns/op\t  20480 B/op\t   77 allocs/op\n",
	} {
		check.Must(t, os.WriteFile(file, []byte(content), 0o600))
	}
	run := exec.CommandContext(
		t.Context(),
		filepath.Join(directory, "bench"),
		"-cli",
		cli,
		"-dir",
		directory,
		"-note",
		note,
		"-micro",
		micro,
		"-size",
		"smoke",
	)
	if output, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %s\n%s", run, err, output)
	}
	written, err := os.ReadFile(note)
	check.Must(t, err)
	text := string(written)
	const measured = `\d+\.\d\d \(\d+\.\d\d–\d+\.\d\d\)`
	for _, row := range []string{
		`^Before\.$`, `^After\.$`,
		`^\| 2( \| ` + measured + `){6} \| 2 \|$`,
		`^\| 2( \| ` + measured + `){4}( \| \d+\.\d\d s \(\d+\.\d\d s\)){2}( \| ` + measured + `){2} \| 3 \|$`,
		`^\| 1ms( \| ` + measured + `){2} \|$`,
		`^\| 1 MiB \| [1-9]\d* MiB \| 1\.00 \(1\.00–1\.00\) \|$`,
		"^\\| `Decode/page` \\| 20 \\| 77 \\|$",
	} {
		check.True(t, "the note has the line", regexp.MustCompile("(?m)"+row).MatchString(text), row, text)
	}
	check.True(t, "the old tables are gone", !strings.Contains(text, "old"), text)
}
