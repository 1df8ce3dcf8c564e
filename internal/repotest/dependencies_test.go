package repotest_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const ours = "github.com/mediagen/terraform-provider-mediagen"

// mayImport is the dependency rule of internal/README.md. A room is a directory
// of internal, or the package in it; the services are one, whose packages do
// not know each other.
var mayImport = map[string][]string{
	"main": {"provider", "bucket"},
	"provider": {
		"bucket/address",
		"service",
		"run",
		"attributes",
		"report",
		"wait",
		"api",
		"purchases",
		"media",
		"transport",
		"credential",
	},
	"service": {
		"framework",
		"run",
		"attributes",
		"privatestate",
		"report",
		"wait",
		"api",
		"purchases",
		"media",
		"reply",
		"prompts",
		"same",
	},
	"framework": {
		"run",
		"attributes",
		"privatestate",
		"report",
		"wait",
		"api",
		"purchases",
		"reply",
		"prompts",
	},
	"run": {
		"attributes",
		"privatestate",
		"report",
		"wait",
		"api",
		"purchases",
		"media",
		"transport",
		"reply",
		"same",
	},
	"attributes":          {"privatestate", "report", "wait", "reply", "same"},
	"privatestate":        {"report"},
	"report":              {"api", "purchases", "transport", "reply"},
	"prompts":             {"same"}, // the rules of a group and its generations: values in, values out
	"same":                {},
	"api":                 {"purchases", "transport", "credential", "reply", "wait", "prompts", "same"},
	"bucket":              {"bucket/address", "purchases", "reply"},
	"bucket/address":      {}, // how a bucket is named, without a client
	"purchases":           {"reply", "wait", "same"},
	"media":               {"reply", "same"},
	"transport":           {"credential", "reply", "wait"},
	"credential":          {"reply", "wait"}, // it is given what sends requests
	"reply":               {"wait", "same"},
	"wait":                {},
	"wait/waittest":       {},            // the clock of tests
	"purchases/storetest": {"purchases"}, // a store in memory, for tests
	// a wrong JSON name must not be the same on both sides
	"mockserver":      {},
	"acctest/core":    {},                                       // it is Terraform, and independent of this provider
	"acctest/check":   {},                                       // the assertions of tests
	"acctest/tier":    {},                                       // when a test runs
	"acctest/engines": {"bucket", "purchases", "acctest/check"}, // servers of buckets
	"acctest": {
		"provider",
		"wait",
		"api",
		"transport",
		"mockserver",
		"acctest/core",
		"acctest/check",
		"wait/waittest",
		"purchases",
		"purchases/storetest",
	},
	"cmd": {"mockserver", "acctest", "acctest/tier"},
	// the provider of benchmarks that sends nothing has the schemas of ours
	"cmd/bench/blank": {"provider"},
	"repotest":        {"acctest/check"},
}

var (
	testsMayImport = []string{
		"purchases/storetest",
		"credential",
		"acctest",
		"acctest/core",
		"acctest/engines",
		"mockserver",
		"wait/waittest",
		"repotest",
	}
	alone            = []string{"acctest/core", "mockserver"} // in tests too
	withoutTerraform = []string{
		"api",
		"bucket",
		"purchases",
		"media",
		"transport",
		"credential",
		"reply",
		"wait",
		"prompts",
		"same",
		"mockserver",
	}
)

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
			"provider service/of/tomorrow", "service/character " +
				"framework", "service/tomorrow api",
			"framework run", "run attributes", "attributes privatestate", "privatestate report", "report api",
			"framework api", "run purchases", "api purchases", "purchases reply", "service/character purchases",
			"run media", "service/character media", "service/character reply", "api transport", "api reply",
			"media reply", "transport reply", "transport credential", "credential reply", "reply wait",
			"service/character prompts", "framework prompts", "api prompts", "prompts same", "attributes same",
			"service/character same", "api wait", "transport wait", "acctest provider", "acctest/story mockserver",
			"cmd/mediagen-mockserver mockserver",
		}},
		"upwards": {imports: []string{
			"wait transport", "wait api", "bucket provider", "bucket api", "purchases bucket", "provider bucket",
			"transport api", "api report", "report run", "attributes run", "privatestate attributes", "run framework",
			"framework service/character", "framework provider",
			"service/character provider", "provider main", "api service/character", "transport media",
			"media transport", "reply transport", "credential transport", "reply credential", "media credential",
			"api media", "media api", "purchases api", "purchases transport", "purchases credential",
			"transport purchases", "media purchases", "media framework", "prompts api", "same prompts", "same reply",
			"prompts wait", "prompts framework", "prompts service/generation",
		}},
		"past the next": {
			imports: []string{
				"main api",
				"main service/character",
				"service/character transport",
				"service/character credential",
				"run credential",
			},
		},
		"a service another one": {imports: []string{
			"service/character service/work", "service/tomorrow service/work", "service/character " +
				"service/character/inside",
		}},
		"one of a service's tests another service": {inTest: true, imports: []string{"service/character " +
			"service/work", "service/character provider"}},
		"Terraform where it is known": {
			want:    true,
			imports: []string{"service/character " + framework, "acctest/core " + framework},
		},
		"Terraform where it is not": {
			imports: []string{
				"api " + framework,
				"purchases " + framework,
				"bucket " + framework,
				"media " + framework,
				"transport " + framework,
				"reply " + framework,
				"credential " + framework,
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
