package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// proxy is a directory that the go command takes for a module proxy.
type proxy string

// publish adds versions of a module: of which Go, and how many days old.
func (p proxy) publish(t *testing.T, module string, versions map[string]string) {
	t.Helper()
	directory := filepath.Join(string(p), filepath.FromSlash(module), "@v")
	check.Must(t, os.MkdirAll(directory, 0o700))
	var list strings.Builder
	for number, state := range versions {
		var goVersion string
		var days int
		check.Must(t, check.ErrorOf(fmt.Sscanf(state, "go %s %d days", &goVersion, &days)))
		fmt.Fprintln(&list, number)
		published := time.Now().AddDate(0, 0, -days).UTC().Format(time.RFC3339)
		for file, text := range map[string]string{
			number + ".info": fmt.Sprintf(`{"Version":%q,"Time":%q}`, number, published),
			number + ".mod":  fmt.Sprintf("module %s\n\ngo %s\n", module, goVersion),
		} {
			check.Must(t, os.WriteFile(filepath.Join(directory, file), []byte(text), 0o600))
		}
	}
	check.Must(t, os.WriteFile(filepath.Join(directory, "list"), []byte(list.String()), 0o600))
}

// What is required directly is listed with its newest version, unless that is too
// young or needs another Go; and then the newest before it.
func TestOutdated(t *testing.T) {
	t.Parallel()
	command := filepath.Join(t.TempDir(), "outdated")
	output, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", command, ".").
		CombinedOutput()
	check.True(t, "it builds", err == nil, string(output))
	modules := proxy(t.TempDir())
	modules.publish(t, "example.com/current", map[string]string{"v1.0.0": "go 1.20 90 days"})
	modules.publish(t, "example.com/pinned", map[string]string{
		"v1.9.0":      "go 1.20 90 days",
		"v1.10.0":     "go 1.20 8 days",
		"v1.11.0":     "go 1.20 6 days",
		"v1.12.0":     "go 9.99 90 days",
		"v1.13.0-rc1": "go 1.20 90 days",
	})
	modules.publish(t, "example.com/other", map[string]string{"v1.0.0": "go 1.20 90 days", "v2.0.0": "go 1.20 90 days"})
	for name, test := range map[string]struct {
		requires, listed, noted string
		fails                   bool
	}{
		"current": {requires: "require example.com/current v1.0.0"},
		"older": {
			requires: "require example.com/pinned v1.9.0",
			listed:   "v1.9.0, v1.10.0 is newer",
			noted:    "v1.12.0 needs Go 9.99",
			fails:    true,
		},
		"young":    {requires: "require example.com/pinned v1.10.0", noted: "v1.12.0 needs Go 9.99"},
		"indirect": {requires: "require (\n\texample.com/current v1.0.0\n\texample.com/pinned v1.9.0 // indirect\n)"},
		"replaced": {
			requires: "require example.com/current v1.0.0\nrequire example.com/pinned v1.9.0\n" +
				"replace example.com/pinned => ../pinned",
		},
		"unknown": {
			requires: "require example.com/current v1.0.0\nrequire example.com/gone v1.0.0",
			noted:    "example.com/gone could not be asked for",
		},
		"silence": {
			requires: "require example.com/gone v1.0.0",
			noted:    "the module proxy answered nothing",
			fails:    true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "go.mod")
			text := "module example.com/user\n\ngo 1.20\n\n" + test.requires + "\n"
			check.Must(t, os.WriteFile(file, []byte(text), 0o600))
			program := exec.CommandContext(t.Context(), command, file)
			program.Env = append(
				os.Environ(),
				"GOPROXY=file://"+filepath.ToSlash(string(modules)),
				"GOSUMDB=off",
				"GOMODCACHE="+t.TempDir(),
			)
			var listed, notes bytes.Buffer
			program.Stdout = &listed
			program.Stderr = &notes
			err := program.Run()
			check.True(t, "it fails", (err != nil) == test.fails, err, notes.String())
			check.True(t, "what is listed", (listed.String() == "") == (test.listed == ""), listed.String())
			check.Contains(t, "what is listed", listed.String(), test.listed)
			check.Contains(t, "the notes", notes.String(), test.noted)
		})
	}
}
