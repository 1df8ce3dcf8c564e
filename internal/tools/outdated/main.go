// Command outdated lists newer versions of the modules in the given go.mod
// files, and fails if there is any:
//
//	outdated GO.MOD...
//
// It looks up only direct requirements of a go.mod: the provider's own choices,
// and the pins of the tools. The other modules follow from them, and
// govulncheck finds vulnerabilities there. It needs only Go and the module
// proxy.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	goversion "go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-version"
)

// cooldown is the age from which a version counts, as in dependabot.yml: a
// module that was taken over by an attacker is mostly discovered in the first
// days.
const cooldown = 7 * 24 * time.Hour

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: outdated GO.MOD...")
		os.Exit(2)
	}
	outdated, err := run(os.Args[1:], time.Now(), os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "outdated:", err)
	}
	if outdated || err != nil {
		os.Exit(1)
	}
}

// pin is a module that a go.mod requires directly.
type pin struct {
	file, path, version string
}

// release is a version of a module in the form of the module proxy.
type release struct {
	Version string
	Time    time.Time
	GoMod   string // a file
}

// finding is the module proxy's answer about a pin.
type finding struct {
	newest release // zero: none
	waits  string  // why a still newer version does not count
	err    error
}

// run prints the outdated modules, and beside them the modules that wait or
// could not be looked up.
func run(files []string, now time.Time, out, notes io.Writer) (outdated bool, err error) {
	pins, err := read(files)
	if err != nil {
		return false, err
	}
	findings := askAll(pins, now)
	unanswered := 0
	for i, found := range findings {
		p := pins[i]
		if found.err != nil {
			unanswered++
			fmt.Fprintf(notes, "%s: %s could not be asked for: %s\n", p.file, p.path, found.err)
			continue
		}
		if found.waits != "" {
			fmt.Fprintf(notes, "%s: %s %s waits: %s\n", p.file, p.path, p.version, found.waits)
		}
		if found.newest.Version != "" {
			outdated = true
			fmt.Fprintf(out, "%s: %s %s, %s is newer\n", p.file, p.path, p.version, found.newest.Version)
		}
	}
	if unanswered == len(pins) {
		return outdated, errors.New("the module proxy answered nothing")
	}
	return outdated, nil
}

func read(files []string) (pins []pin, err error) {
	for _, file := range files {
		var module struct {
			Require []struct {
				Path, Version string
				Indirect      bool
			}
			Replace []struct{ Old struct{ Path string } }
		}
		if err := goTool(filepath.Dir(file), &module, "mod", "edit", "-json"); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		replaced := map[string]bool{}
		for _, replace := range module.Replace {
			replaced[replace.Old.Path] = true
		}
		for _, required := range module.Require {
			if !required.Indirect && !replaced[required.Path] {
				pins = append(pins, pin{file, required.Path, required.Version})
			}
		}
	}
	return pins, nil
}

func askAll(pins []pin, now time.Time) []finding {
	findings := make([]finding, len(pins))
	slots := make(chan struct{}, 8)
	var asking sync.WaitGroup
	for i, p := range pins {
		asking.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			findings[i] = ask(p, now)
		})
	}
	asking.Wait()
	return findings
}

// ask finds the newest version of a pin that counts. It works outside of any
// module, because it could change the module's go.sum.
func ask(p pin, now time.Time) finding {
	var module struct{ Versions []string }
	if err := goTool(os.TempDir(), &module, "list", "-m", "-versions", "-json", p.path); err != nil {
		return finding{err: err}
	}
	var found finding
	for _, number := range newer(p.version, module.Versions) {
		var r release
		if err := goTool(os.TempDir(), &r, "list", "-m", "-json", p.path+"@"+number); err != nil {
			return finding{err: err}
		}
		why, err := r.waits(now)
		if err != nil {
			return finding{err: err}
		}
		if why == "" {
			found.newest = r
			return found
		}
		found.waits = cmp.Or(found.waits, why)
	}
	return found
}

// newer lists versions above the current one, the newest first. Versions before
// their release are left out.
func newer(current string, versions []string) (numbers []string) {
	pinned := version.Must(version.NewVersion(current))
	var above []*version.Version
	for _, number := range versions {
		parsed, err := version.NewVersion(number)
		if err == nil && parsed.Prerelease() == "" && parsed.GreaterThan(pinned) {
			above = append(above, parsed)
		}
	}
	slices.SortFunc(above, func(a, b *version.Version) int { return b.Compare(a) })
	for _, parsed := range above {
		numbers = append(numbers, parsed.Original())
	}
	return numbers
}

// waits returns the reason why a version does not count yet. It reads the
// required Go from the version's go.mod: go list is silent about a version that
// needs a newer Go.
func (r release) waits(now time.Time) (why string, err error) {
	var module struct{ Go string }
	if err := goTool(os.TempDir(), &module, "mod", "edit", "-json", r.GoMod); err != nil {
		return "", err
	}
	switch {
	case module.Go != "" && goversion.Compare("go"+module.Go, runtime.Version()) > 0:
		return fmt.Sprintf("%s needs Go %s", r.Version, module.Go), nil
	case now.Sub(r.Time) < cooldown:
		return fmt.Sprintf("%s is of %s", r.Version, r.Time.Format(time.DateOnly)), nil
	default:
		return "", nil
	}
}

// goTool decodes the output of a go command.
func goTool(directory string, into any, arguments ...string) error {
	command := exec.CommandContext(context.Background(), "go", arguments...)
	command.Dir = directory
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var output, complaint bytes.Buffer
	command.Stdout = &output
	command.Stderr = &complaint
	if err := command.Run(); err != nil {
		return fmt.Errorf("go %s: %w: %s", arguments[0], err, bytes.TrimSpace(complaint.Bytes()))
	}
	return json.Unmarshal(output.Bytes(), into)
}
