package repotest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

type workflow struct {
	Permissions map[string]string
	Concurrency struct{ Group string }
	Jobs        map[string]struct {
		Permissions map[string]string
		Timeout     int `yaml:"timeout-minutes"`
		Strategy    struct {
			Matrix map[string][]string
		}
		Steps []struct {
			Uses, Run string
			With      map[string]any
		}
	}
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	check.Must(t, err)
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %s", file, err)
	}
}

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	files := glob(t, root, ".github", "workflows", "*.yml")
	found := map[string]workflow{}
	for _, file := range files {
		var w workflow
		name := filepath.Base(file)
		readYAML(t, filepath.Join(".github", "workflows", name), &w)
		found[name] = w
	}
	return found
}

// A workflow may read the repository. Only the job that drafts a release writes
// to it, and what looks for vulnerabilities writes what it found. None waits
// forever, nor twice for the same branch.
func TestWorkflows_permissions(t *testing.T) {
	t.Parallel()
	for file, w := range workflows(t) {
		check.True(
			t,
			file+" has permissions and a concurrency group",
			w.Permissions != nil && w.Concurrency.Group != "",
			w.Permissions,
			w.Concurrency.Group,
		)
		for name, job := range w.Jobs {
			allowed := map[string]string{"contents": "read"}
			if more, ok := furtherPermissions[file+" "+name]; ok {
				allowed = more
			}
			effective := w.Permissions
			if job.Permissions != nil {
				effective = job.Permissions
			}
			check.True(t, file+": the permissions of "+name, maps.Equal(effective, allowed), effective, allowed)
			check.True(t, file+": the timeout-minutes of "+name, job.Timeout != 0)
		}
	}
}

var furtherPermissions = map[string]map[string]string{
	"release.yml draft": {
		"contents":     "write",
		"id-token":     "write",
		"attestations": "write",
		"packages":     "write",
	},
	"codeql.yml analyze": {
		"contents":        "read",
		"actions":         "read",
		"security-events": "write",
	},
	"scorecard.yml scorecard": {
		"contents":        "read",
		"id-token":        "write",
		"security-events": "write",
	},
}

// What a release consists of is attested once it is built, files and image, and
// the files' attestation goes into the draft.
func TestWorkflows_provenance(t *testing.T) {
	t.Parallel()
	var done []string
	var attested string
	for _, step := range workflows(t)["release.yml"].Jobs["draft"].Steps {
		if step.Run != "" {
			done = append(done, step.Run)
		}
		if strings.HasPrefix(step.Uses, "actions/attest-build-provenance@") {
			done = append(done, "attest")
			attested += fmt.Sprint(step.With)
		}
	}
	check.Equal(t, "the steps", done, []string{"make release", "attest", "attest", "make release-bundle"})
	check.Contains(
		t,
		"what is attested",
		attested,
		"dist/*.zip",
		"dist/*.cdx.json",
		"dist/*_SHA256SUMS",
		"dist/digests.txt",
	)
}

// A version counts after the same days for Dependabot and for make outdated.
func TestDependabot_cooldown(t *testing.T) {
	t.Parallel()
	var dependabot struct {
		Updates []struct {
			Ecosystem string `yaml:"package-ecosystem"`
			Cooldown  struct {
				Days int `yaml:"default-days"`
			}
		}
	}
	readYAML(t, filepath.Join(".github", "dependabot.yml"), &dependabot)
	outdated := readFile(t, filepath.Join(root, "internal", "tools", "outdated", "main.go"))
	for _, update := range dependabot.Updates {
		days := fmt.Sprintf("const cooldown = %d * 24 * time.Hour", update.Cooldown.Days)
		check.Contains(t, update.Ecosystem, outdated, days)
	}
}

// Packages in which systems differ are tested on each, by go test where make
// has no shell.
func TestWorkflows_systems(t *testing.T) {
	t.Parallel()
	job := workflows(t)["test.yml"].Jobs["systems"]
	check.Equal(t, "the systems", job.Strategy.Matrix["system"], []string{"macos-latest", "windows-latest"})
	var ran []string
	for _, step := range job.Steps {
		ran = append(ran, strings.Fields(step.Run)...)
	}
	check.True(t, "the tests of packages run", len(ran) > 3 && strings.Join(ran[:2], " ") == "go test", ran)
	for _, name := range ran {
		if directory, is := strings.CutPrefix(name, "./"); is {
			_, err := os.Stat(filepath.Join(root, strings.TrimSuffix(directory, "...")))
			check.Must(t, err)
		}
	}
}

// An action is pinned by its commit, because a tag can be moved to other code.
func TestWorkflows_actions(t *testing.T) {
	t.Parallel()
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+(/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	versions := map[string]string{}
	count := 0
	for _, pattern := range []string{".github/workflows/*.yml", ".github/actions/*/action.yml", "examples/ci/*.yml"} {
		files := glob(t, root, pattern)
		for _, file := range files {
			text := readFile(t, file)
			for _, match := range regexp.MustCompile(`(?m)^ *(?:- )?uses: (.*)$`).FindAllStringSubmatch(text, -1) {
				count++
				if strings.HasPrefix(match[1], "./.github/actions/") {
					continue
				}
				action, version, _ := strings.Cut(match[1], "@")
				check.True(
					t,
					file+" pins like actions/checkout@<commit> # v1.2.3",
					pinned.MatchString(match[1]),
					match[1],
				)
				other := versions[action]
				check.True(t, action+" has one version", other == "" || other == version, file, version, other)
				versions[action] = version
			}
		}
	}
	check.True(t, "the workflows use actions", count != 0)
}

// What a job runs is a make target, so that it runs on every machine.
func TestWorkflows_targets(t *testing.T) {
	t.Parallel()
	known := targets(t)
	command := regexp.MustCompile(`^make ([a-z][a-z0-9.-]*)( [A-Z]+=[\w-]+)*$`)
	for file, w := range workflows(t) {
		for name, job := range w.Jobs {
			if name == "systems" {
				continue // see TestWorkflows_systems
			}
			ran := 0
			for _, step := range job.Steps {
				for _, run := range expand(step.Run, job.Strategy.Matrix) {
					ran++
					match := command.FindStringSubmatch(run)
					check.True(
						t,
						file+": "+name+" runs targets of the GNUmakefile",
						match != nil && slices.Contains(known, match[1]),
						run,
					)
				}
			}
			// The job of Scorecard may have no step that runs a command.
			check.True(t, file+": "+name+" runs something", ran != 0 || file == "scorecard.yml")
		}
	}
}

// targets are those of the GNUmakefile.
func targets(t *testing.T) (names []string) {
	t.Helper()
	makefile := readFile(t, filepath.Join(root, "GNUmakefile"))
	for _, declared := range regexp.MustCompile(`(?m)^\.PHONY: (.*)$`).FindAllStringSubmatch(makefile, -1) {
		names = append(names, strings.Fields(declared[1])...)
	}
	alone := regexp.MustCompile(`(?m)^STEPS_ALONE := \$\(addprefix test-,(.*)\)$`).FindStringSubmatch(makefile)
	for step := range strings.FieldsSeq(alone[1]) {
		names = append(names, "test-"+step)
	}
	return names
}

func expand(run string, matrix map[string][]string) []string {
	if run == "" {
		return nil
	}
	for name, values := range matrix {
		variable := "${{ matrix." + name + " }}"
		if !strings.Contains(run, variable) {
			continue
		}
		var commands []string
		for _, value := range values {
			commands = append(commands, strings.ReplaceAll(run, variable, value))
		}
		return commands
	}
	return []string{run}
}

func tools(t *testing.T) []string {
	t.Helper()
	modules := glob(t, root, "internal", "tools", "*", "go.mod")
	for i, module := range modules {
		modules[i] = filepath.Base(filepath.Dir(module))
	}
	return modules
}

// The acceptance tests run on every pinned CLI; all tools are kept up to date
// but the oldest CLIs.
func TestWorkflows_tools(t *testing.T) {
	t.Parallel()
	var clis, updated []string
	for _, tool := range tools(t) {
		name, version, _ := strings.Cut(tool, "-1.")
		if name == "terraform" || name == "opentofu" {
			clis = append(clis, tool)
		}
		if version == "" {
			updated = append(updated, "/internal/tools/"+tool)
		}
	}
	matrix := workflows(t)["test.yml"].Jobs["acceptance"].Strategy.Matrix["cli"]
	slices.Sort(matrix)
	check.True(t, "the CLIs of the acceptance tests, and those pinned", slices.Equal(matrix, clis), matrix, clis)
	var dependabot struct {
		Updates []struct{ Directories []string }
	}
	readYAML(t, filepath.Join(".github", "dependabot.yml"), &dependabot)
	var directories []string
	for _, update := range dependabot.Updates {
		for _, directory := range update.Directories {
			if strings.HasPrefix(directory, "/internal/") {
				directories = append(directories, directory)
			}
		}
	}
	check.True(t, "what Dependabot updates", slices.Equal(directories, updated), directories, updated)
}

// Commands in the documents are make targets; CONTRIBUTING.md has that of each
// pinned CLI.
func TestReadme_targets(t *testing.T) {
	t.Parallel()
	known := targets(t)
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "RELEASING.md"} {
		for _, match := range regexp.MustCompile("(?m)(?:^ *|`)make ([a-z][a-z0-9.-]*)").FindAllStringSubmatch(
			readFile(t, filepath.Join(root, name)),
			-1,
		) {
			check.True(t, name+" names targets", slices.Contains(known, match[1]), match[1])
		}
	}
	contributing := readFile(t, filepath.Join(root, "CONTRIBUTING.md"))
	for _, tool := range tools(t) {
		module := readFile(t, filepath.Join(root, "internal", "tools", tool, "go.mod"))
		pinned := regexp.MustCompile(`(?m)^require \S+/(terraform|opentofu) v(\d+\.\d+)`).FindStringSubmatch(module)
		if pinned == nil {
			continue
		}
		product := map[string]string{"terraform": "Terraform", "opentofu": "OpenTofu"}[pinned[1]]
		row := "| " + product + " " + pinned[2] + " | `make test-" + tool + "` |"
		check.True(t, "a row of CONTRIBUTING.md", strings.Contains(contributing, row), row)
	}
}

// releaseConfig is .goreleaser.yml.
type releaseConfig struct {
	Builds   []struct{ Targets []string }
	Archives []struct{ IDs []string }
	Kos      []struct {
		Main, SBOM string
		BaseImage  string `yaml:"base_image"`
	}
	Checksum, Release struct {
		IDs   []string
		Extra []struct {
			Glob string
			Name string `yaml:"name_template"`
		} `yaml:"extra_files"`
	}
}

func readReleaseConfig(t *testing.T) releaseConfig {
	t.Helper()
	var config releaseConfig
	readYAML(t, ".goreleaser.yml", &config)
	if len(config.Builds) != 1 || len(config.Archives) != 1 || len(config.Kos) != 1 {
		t.Fatalf("want a build, an archive of it, and an image: %+v", config)
	}
	return config
}

// RELEASING.md lists the platforms that are built.
func TestReleasing_platforms(t *testing.T) {
	t.Parallel()
	config := readReleaseConfig(t)
	text := readFile(t, filepath.Join(root, "RELEASING.md"))
	var listed []string
	for _, row := range regexp.MustCompile(
		`(?m)^\| (darwin|freebsd|linux|windows) \| (.*) \|$`,
	).FindAllStringSubmatch(text, -1) {
		for architecture := range strings.SplitSeq(row[2], ", ") {
			listed = append(listed, row[1]+"_"+architecture)
		}
	}
	check.True(
		t,
		"what RELEASING.md lists, and what is built",
		slices.Equal(listed, config.Builds[0].Targets),
		listed,
		config.Builds[0].Targets,
	)
}

// The checksums are of the provider's archives and the manifest, which is a file
// of the release too; see internal/acctest/release for the registries' rules.
func TestReleasing_checksums(t *testing.T) {
	t.Parallel()
	config := readReleaseConfig(t)
	check.Equal(t, "whose archives", config.Checksum.IDs, []string{"provider"})
	check.Equal(t, "what else is published", config.Release.Extra, config.Checksum.Extra)
	check.Equal(t, "the files beside the archives", len(config.Checksum.Extra), 1)
	manifest := config.Checksum.Extra[0]
	check.Equal(t, "the manifest", manifest.Glob, "terraform-registry-manifest.json")
	check.Equal(t, "its name", manifest.Name, "{{ .ProjectName }}_{{ .Version }}_manifest.json")
}

// The image's base is pinned by its digest, because a tag can be moved, and the
// image says what it contains.
func TestReleasing_image(t *testing.T) {
	t.Parallel()
	image := readReleaseConfig(t).Kos[0]
	check.Equal(t, "the program", image.Main, "./internal/cmd/mediagen-mockserver")
	check.Equal(t, "the format of the list of its components", image.SBOM, "spdx")
	pinned := regexp.MustCompile(`^\S+:nonroot@sha256:[0-9a-f]{64}$`)
	check.True(t, "the base is pinned", pinned.MatchString(image.BaseImage), image.BaseImage)
}
