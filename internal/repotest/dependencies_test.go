package repotest_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const ours = "github.com/mediagen/terraform-provider-mediagen"

// room is a directory of internal, or the package in it, and the rooms that it
// may import. The services are one room, whose packages do not know each other.
type room struct {
	name      string
	mayImport []string
}

// house is the dependency rule of internal/README.md, whose table is written from
// it: from the top floor to the ground, so that no room imports a room above it.
var house = []room{
	{"main", []string{"provider", "bucket"}},
	{"provider", []string{"service", "run", "purchases", "evidence", "framework", "media", "transport", "wait"}},
	{"service", []string{
		"run", "purchases", "evidence", "api", "framework", "prompts", "media", "reply", "wait", "same",
	}},
	{"run", []string{
		"purchases", "evidence", "api", "framework", "prompts", "media", "transport", "reply", "wait",
	}},
	{"bucket", []string{"purchases", "reply"}},
	{"purchases", []string{"evidence", "api", "framework", "reply", "wait", "same"}},
	{"framework", []string{"reply", "wait", "same"}},
	{"evidence", []string{"api", "transport", "reply", "wait"}},
	{"api", []string{"prompts", "transport", "reply", "wait"}},
	{"prompts", []string{"same"}}, // the rules of a group and its generations: values in, values out
	{"media", []string{"reply", "same"}},
	{"transport", []string{"reply", "wait"}},
	{"reply", []string{"wait", "same"}},
	{"wait", nil},
	{"same", nil},
}

// besides are the rooms of tests and commands.
var besides = []room{
	{"wait/waittest", nil},                         // the clock of tests
	{"purchases/storetest", []string{"purchases"}}, // a store in memory, for tests
	// a wrong JSON name must not be the same on both sides
	{"mockserver", nil},
	{"acctest/core", nil},  // it is Terraform, and independent of this provider
	{"acctest/check", nil}, // the assertions of tests
	{"acctest/tier", nil},  // when a test runs
	{"acctest/engines", []string{"bucket", "purchases", "acctest/check"}}, // servers of buckets
	// a service that a test answers, and its client
	{"acctest/stub", []string{
		"purchases", "evidence", "api", "transport", "reply", "wait", "wait/waittest", "acctest/check",
	}},
	{"acctest", []string{
		"provider", "run", "purchases", "purchases/storetest", "evidence", "api", "framework", "transport", "wait",
		"wait/waittest", "mockserver", "acctest/core", "acctest/check",
	}},
	{"cmd/bench/blank", []string{"provider"}}, // its schemas are the provider's
	{"cmd", []string{"mockserver", "acctest", "acctest/tier"}},
	{"repotest", []string{"acctest/check"}},
}

// mayImport is what each room may import.
var mayImport = map[string][]string{}

func init() {
	for _, r := range append(slices.Clone(house), besides...) {
		mayImport[r.name] = r.mayImport
	}
}

var (
	testsMayImport = []string{
		"purchases/storetest",
		"acctest",
		"acctest/core",
		"acctest/engines",
		"acctest/stub",
		"mockserver",
		"wait/waittest",
		"repotest",
	}
	alone            = []string{"acctest/core", "mockserver"} // in tests too
	withoutTerraform = []string{
		"bucket",
		"evidence",
		"api",
		"media",
		"transport",
		"reply",
		"wait",
		"prompts",
		"same",
		"mockserver",
	}
)

// The rooms stand in their order: what a room imports is below it.
func TestDependencies_floors(t *testing.T) {
	t.Parallel()
	for place, r := range house {
		for _, name := range r.mayImport {
			below := slices.ContainsFunc(house[place+1:], func(other room) bool { return other.name == name })
			check.True(t, r.name+" imports what is below it", below, name)
		}
	}
}

// The table of internal/README.md is written from the rule.
func TestDependencies_table(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- dependencies -->\n", "<!-- /dependencies -->"
	table := "| package | imports |\n|---|---|\n"
	for _, r := range house {
		names := "nothing of ours"
		if len(r.mayImport) > 0 {
			names = "`" + strings.Join(r.mayImport, "`, `") + "`"
		}
		table += "| `" + r.name + "` | " + names + " |\n"
	}
	page := filepath.Join(root, "internal", "README.md")
	content, err := os.ReadFile(page)
	check.Must(t, err)
	before, rest, found := strings.Cut(string(content), begin)
	written, after, closed := strings.Cut(rest, end)
	check.True(t, "the page has a place for the table", found && closed)
	if os.Getenv("DEPENDENCIES") == "write" {
		check.Must(t, os.WriteFile(page, []byte(before+begin+table+end+after), 0o644))
		return
	}
	check.Equal(t, "the table: DEPENDENCIES=write writes it", written, table)
}

func TestDependencies(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	list.Dir = root
	output, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %s", err)
	}
	packages := 0
	for decoder := json.NewDecoder(strings.NewReader(string(output))); ; packages++ {
		var found struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := decoder.Decode(&found); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, path := range found.Imports {
			checkImport(t, found.ImportPath, path, false)
		}
		for _, path := range append(found.TestImports, found.XTestImports...) {
			checkImport(t, found.ImportPath, path, true)
		}
	}
	check.True(t, "go list knows the packages", packages >= 10, packages)
}

func checkImport(t *testing.T, from, path string, inTest bool) {
	t.Helper()
	check.True(
		t,
		"the dependency rule of internal/README.md allows the import",
		allowed(from, path, inTest),
		from,
		path,
	)
}

func allowed(from, path string, inTest bool) bool {
	room := roomOf(from)
	if path != ours && !strings.HasPrefix(path, ours+"/") {
		return !strings.HasPrefix(path, "github.com/hashicorp/terraform-") || !slices.Contains(withoutTerraform, room)
	}
	switch {
	case from == path: // its external tests
		return true
	case inTest && slices.Contains([]string{"acctest/check", "acctest/tier"}, roomOf(path)):
		return true
	case inTest && !slices.Contains(alone, room) && slices.Contains(testsMayImport, roomOf(path)):
		return true
	}
	return slices.Contains(mayImport[room], roomOf(path))
}

func roomOf(path string) string {
	below, isInternal := strings.CutPrefix(path, ours+"/internal/")
	if _, isRoom := mayImport[below]; isRoom && isInternal {
		return below
	}
	if !isInternal {
		return "main"
	}
	room, _, _ := strings.Cut(below, "/")
	return room
}

// The clients of the clouds are two thirds of the program, and some of them look
// around as they start. Only main links them, and the tests that are about them.
func TestDependencies_clientsOfClouds(t *testing.T) {
	t.Parallel()
	linkClients := []string{ours, ours + "/internal/acctest/engines"}
	list := exec.CommandContext(t.Context(), "go", "list", "-test", "-json=ImportPath,Deps", "./...")
	list.Dir = root
	output, err := list.Output()
	check.Must(t, err)
	linked := 0
	for decoder := json.NewDecoder(strings.NewReader(string(output))); ; {
		var found struct {
			ImportPath string
			Deps       []string
		}
		err := decoder.Decode(&found)
		if errors.Is(err, io.EOF) {
			break
		}
		check.Must(t, err)
		client := slices.IndexFunc(found.Deps, isClientOfCloud)
		if client < 0 {
			continue
		}
		linked++
		// A package is listed with its tests too, as in "path [path.test]".
		path, _, _ := strings.Cut(found.ImportPath, " ")
		path = strings.TrimSuffix(strings.TrimSuffix(path, ".test"), "_test")
		check.True(t, path+" links no client of a cloud", slices.Contains(linkClients, path), found.Deps[client])
	}
	check.True(t, "main is found to link them", linked > 0, linked)
}

func isClientOfCloud(path string) bool {
	return slices.ContainsFunc(
		[]string{
			"gocloud.dev/blob/s3blob",
			"gocloud.dev/blob/gcsblob",
			"gocloud.dev/blob/azureblob",
			"github.com/aws/",
			"github.com/Azure/",
			"cloud.google.com/",
		},
		func(client string) bool { return strings.HasPrefix(path, client) },
	)
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	const framework = "github.com/hashicorp/terraform-plugin-framework/resource"
	full := func(path string) string {
		switch {
		case path == "main":
			return ours
		case strings.Contains(path, "."):
			return path
		}
		return ours + "/internal/" + path
	}
	for name, test := range map[string]struct {
		imports []string // "from to", by their paths below internal
		inTest  bool
		want    bool
	}{
		"downwards": {want: true, imports: []string{
			"main provider", "main bucket", "bucket purchases", "bucket reply", "provider service/character",
			"provider service/of/tomorrow", "service/character framework", "service/tomorrow api", "run framework",
			"run purchases", "purchases framework", "purchases evidence", "purchases api", "purchases reply",
			"evidence api", "service/character purchases", "run media", "service/character media",
			"service/character reply", "api transport", "api reply", "media reply", "transport reply", "reply wait",
			"service/character prompts", "run prompts", "api prompts", "prompts same", "framework same",
			"service/character same", "api wait", "transport wait", "acctest provider", "acctest/story mockserver",
			"cmd/mediagen-mockserver mockserver",
		}},
		"upwards": {imports: []string{
			"wait transport", "wait api", "bucket provider", "bucket api", "purchases bucket", "provider bucket",
			"transport api", "api evidence", "evidence purchases", "api framework", "framework api",
			"framework evidence", "framework purchases", "framework run", "purchases run", "run service/character",
			"run provider", "service/character provider", "provider main", "api service/character",
			"transport media", "media transport", "reply transport", "api media", "media api", "api purchases",
			"purchases transport", "transport purchases", "media purchases", "media framework", "prompts api",
			"same prompts", "same reply", "prompts wait", "prompts framework", "prompts service/generation",
		}},
		"past the next": {
			imports: []string{
				"main api",
				"main service/character",
				"service/character transport",
				"service/work transport",
			},
		},
		"a service another one": {imports: []string{
			"service/character service/work", "service/tomorrow service/work", "service/character " +
				"service/character/inside",
		}},
		"one of a service's tests another service": {inTest: true, imports: []string{"service/character " +
			"service/work", "service/character provider"}},
		"Terraform where it is known": {
			want: true,
			imports: []string{
				"service/character " + framework,
				"purchases " + framework,
				"acctest/core " + framework,
			},
		},
		"Terraform where it is not": {
			imports: []string{
				"api " + framework,
				"evidence " + framework,
				"bucket " + framework,
				"media " + framework,
				"transport " + framework,
				"reply " + framework,
				"wait " + framework,
				"prompts " + framework,
				"same " + framework,
				"mockserver " + framework,
			},
		},
		"or in tests there": {inTest: true, imports: []string{"api " + framework, "mockserver " + framework}},
		"the harness outside tests": {imports: []string{
			"main acctest", "provider mockserver", "service/character acctest", "service/character acctest/core",
			"api mockserver", "wait acctest/story", "api wait/waittest",
		}},
		"the harness in tests": {inTest: true, want: true, imports: []string{
			"provider mockserver", "service/character acctest", "service/character acctest/core", "api mockserver",
			"wait acctest", "acctest/story acctest", "api wait/waittest",
		}},
		"the mock service the client": {imports: []string{"mockserver api", "mockserver transport", "mockserver " +
			"wait", "mockserver acctest"}},
		"or in its tests": {
			inTest:  true,
			imports: []string{"mockserver api", "mockserver acctest", "mockserver acctest/core"},
		},
		"the core something of ours": {
			imports: []string{
				"acctest/core acctest",
				"acctest/core provider",
				"acctest/core wait",
				"acctest/core mockserver",
			},
		},
		"or its tests": {inTest: true, imports: []string{"acctest/core acctest", "acctest/core " +
			"mockserver", "acctest/core provider"}},
		"a package's own tests": {
			inTest:  true,
			want:    true,
			imports: []string{"mockserver mockserver", "acctest/core acctest/core"},
		},
		"the assertions in any tests": {
			inTest:  true,
			want:    true,
			imports: []string{"mockserver acctest/check", "acctest/core acctest/check", "wait acctest/check"},
		},
		"and in nothing else": {imports: []string{"mockserver acctest/check", "api acctest/check"}},
		"other people's packages": {want: true, imports: []string{"api net/http.x", "mockserver " +
			"github.com/getkin/kin-openapi/openapi3"}},
		"a room that nobody has placed": {imports: []string{"utils wait", "provider utils", "service/character " +
			"utils", "cmd/bench cmd/mediagen-mockserver"}},
	} {
		for _, pair := range test.imports {
			from, to, _ := strings.Cut(pair, " ")
			check.Equal(t, name+": "+pair, allowed(full(from), full(to), test.inTest), test.want)
		}
	}
}
