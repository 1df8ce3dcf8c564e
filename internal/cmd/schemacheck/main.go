// Command schemacheck lists the differences between the schema of a build and
// the schema of the last release. It fails if a difference breaks
// configurations or states that the next version promises to keep, see
// RELEASING.md.
//
//	schemacheck -schemas <file> -plans <file> -changelog <file> [-write] <file of the last release>
//
// It compares only schemas. The effects of a plan without a change of the
// schema, and the rules of validation, are left to tests.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/hashicorp/go-version"
	tfjson "github.com/hashicorp/terraform-json"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "schemacheck:", err)
		os.Exit(1)
	}
}

// release holds the compared parts of a build.
type release struct {
	Version string `json:"version"`
	// Plans holds the facts about plans that Schemas does not contain.
	Plans plans `json:"plans"`
	// Schemas is the CLI's output for the provider.
	Schemas json.RawMessage `json:"schemas"`

	provider *tfjson.ProviderSchema
}

// plans are by resource and path.
type plans map[string]map[string]planned

// planned holds the facts about the plans of an attribute.
type planned struct {
	Default  string `json:"default,omitempty"`
	Replaces string `json:"replaces,omitempty"` // or buys: the condition
	// KeepsNull is true if plans keep a null in a state in place of the
	// default.
	KeepsNull bool `json:"keeps_null,omitempty"`
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("schemacheck", flag.ContinueOnError)
	schemasFile := flags.String("schemas", "", "what `providers schema -json` prints of the build")
	plansFile := flags.String("plans", "", "what TestSchema_plans writes of the build")
	changelog := flags.String("changelog", "CHANGELOG.md", "its first heading is the version to come")
	write := flags.Bool("write", false, "write the file of the last release instead of comparing with it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	news, err := os.ReadFile(*changelog)
	if err != nil {
		return err
	}
	next, err := latest(string(news))
	if err != nil {
		return err
	}
	built := release{Version: next.version.String()}
	built.Schemas, err = os.ReadFile(*schemasFile)
	if err != nil {
		return err
	}
	if err := errors.Join(decode(*plansFile, &built.Plans), built.read()); err != nil {
		return err
	}
	if *write {
		return built.write(flags.Arg(0))
	}
	var last release
	if err := decode(flags.Arg(0), &last); err != nil {
		return err
	}
	if err := last.read(); err != nil {
		return err
	}
	return report(out, last, next, compare(last, built))
}

func decode(file string, into any) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// read decodes the schemas.
func (r *release) read() error {
	var found tfjson.ProviderSchemas
	if err := json.Unmarshal(r.Schemas, &found); err != nil {
		return fmt.Errorf("the schemas of %s: %w", r.Version, err)
	}
	if len(found.Schemas) != 1 {
		return fmt.Errorf("the schemas of %s are of %d providers, want 1", r.Version, len(found.Schemas))
	}
	for _, r.provider = range found.Schemas {
	}
	return nil
}

func (r *release) write(file string) error {
	content, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(content, '\n'), 0o600)
}

// section is the first section of the CHANGELOG.
type section struct {
	version *version.Version
	text    string
}

func latest(changelog string) (section, error) {
	headings := regexp.MustCompile(`(?m)^## (\S+).*$`).FindAllStringSubmatchIndex(changelog, 2)
	if len(headings) == 0 {
		return section{}, errors.New("the CHANGELOG has no version")
	}
	first := headings[0]
	end := len(changelog)
	if len(headings) > 1 {
		end = headings[1][0]
	}
	found, err := version.NewVersion(changelog[first[2]:first[3]])
	return section{found, changelog[first[1]:end]}, err
}

// mayBreak reports whether semantic versioning allows the next version to break
// compatibility, and the CHANGELOG announces it.
func (s section) mayBreak(last string) bool {
	before, err := version.NewVersion(last)
	if err != nil {
		return false
	}
	was := before.Segments()
	is := s.version.Segments()
	raised := is[0] > was[0] || is[0] == 0 && was[0] == 0 && is[1] > was[1]
	return raised && strings.Contains(s.text, "\nBREAKING CHANGES:\n")
}

func report(out io.Writer, last release, next section, changes []change) error {
	breaking := 0
	for _, change := range changes {
		fmt.Fprintln(out, change)
		if change.breaks != nothing {
			breaking++
		}
	}
	fmt.Fprintf(out, "%d changes of the schema since %s, %d of them breaking.\n", len(changes), last.Version, breaking)
	if breaking > 0 && !next.mayBreak(last.Version) {
		return fmt.Errorf(
			"%s may not break what worked with %s: see Versions in RELEASING.md",
			next.version,
			last.Version,
		)
	}
	return nil
}
