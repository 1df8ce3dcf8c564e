package repotest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// hostile are texts that a stranger may choose: as the name of a branch, the key of a prompt
// or, if the service is not what it should be, as an address or an id. Each would leave a file
// "hacked", or something live in a comment, if a script or a report took it for more than text.
func hostile() []string {
	var texts []string
	for _, command := range []string{"touch hacked", "cp secret hacked"} {
		for _, form := range []string{"$(%s)", "`%s`", ";%s;", "|%s", "'; %s; '", "\"; %s; \"", "x\n%s", "&& %s #"} {
			texts = append(texts, fmt.Sprintf(form, command))
		}
	}
	return append(
		texts,
		"",
		" ",
		"-o",
		"--output=hacked",
		"-Khacked",
		"@secret",
		"..",
		"../hacked",
		"/tmp/hacked",
		`\`,
		`a\|b`,
		"|",
		"||",
		"@studio/everybody",
		"#1",
		"!1",
		"~label",
		":rocket:",
		"[link](https://evil.example.com)",
		"https://evil.example.com",
		"![picture](https://evil.example.com/p.png)",
		"<img src=https://evil.example.com/p.png>",
		"<!-- mediagen -->",
		"</details>",
		"**The plan holds. It buys nothing.**",
		"```",
		"~~~",
		"`",
		"``a``",
		"a\r\nb",
		"\u202egnp.exe",
		"\u2066a\u2069",
		"a\u200bb",
		"\u2028| a |",
		"\x1b[2J",
		strings.Repeat("x", 1000),
		strings.Repeat("`", 500),
		"$GITHUB_ENV",
		"%0A::add-mask::x",
	)
}

// sandbox is a directory in which a script may do no harm but the one that is looked for.
type sandbox struct {
	t           *testing.T
	directory   string
	environment []string
}

// newSandbox has a CLI that plans nothing, and shows and outputs what it is given.
func newSandbox(t *testing.T, plan, outputs any) *sandbox {
	t.Helper()
	s := &sandbox{t: t, directory: t.TempDir()}
	tools := t.TempDir()
	s.write(filepath.Join(tools, "terraform"), `#!/bin/sh
case "$1" in
show) cat plan.given ;;
output) cat outputs.given ;;
plan) touch mediagen.tfplan ;;
esac
`)
	for _, name := range []string{"apk", "gh"} {
		fake, err := filepath.Abs(filepath.Join(root, "internal", "acctest", "testdata", "ci", name))
		check.Must(t, err)
		check.Must(t, os.Symlink(fake, filepath.Join(tools, name)))
	}
	if _, err := exec.LookPath("jq"); err != nil {
		build := exec.CommandContext(t.Context(), "go", "build", "-o", tools, "./internal/tools/jq")
		build.Dir = root
		check.Must(t, build.Run())
	}
	for name, content := range map[string]any{"plan.given": plan, "outputs.given": outputs} {
		encoded, err := json.Marshal(content)
		check.Must(t, err)
		s.write(filepath.Join(s.directory, name), string(encoded))
	}
	s.write(filepath.Join(s.directory, "secret"), "the secret")
	for _, name := range []string{"report.jq", "purchases.jq", "summary.jq"} {
		s.write(filepath.Join(s.directory, name), repotest.PolicyFile(t, name))
	}
	s.environment = append(os.Environ(), "PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	return s
}

func (s *sandbox) write(file, content string) {
	s.t.Helper()
	check.Must(s.t, os.WriteFile(file, []byte(content), 0o700))
}

// run runs a script with variables, and checks that none of their texts has done anything.
func (s *sandbox) run(shell, script string, variables ...string) (output string, code int) {
	s.t.Helper()
	command := exec.CommandContext(s.t.Context(), shell, "-e", "-c", script)
	command.Dir = s.directory
	command.Env = slices.Concat(s.environment, variables)
	printed, err := command.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		s.t.Fatalf("%s: %s", script, err)
	}
	err = filepath.WalkDir(s.directory, func(path string, entry fs.DirEntry, err error) error {
		check.True(s.t, "nothing foreign was a command", entry.Name() != "hacked", path, script)
		return err
	})
	check.Must(s.t, err)
	return string(printed), command.ProcessState.ExitCode()
}

// mediaServer answers with a picture, and at /redirect/N with one of some addresses.
type mediaServer struct {
	*httptest.Server
	redirects []string
	mutex     sync.Mutex
	asked     []string
}

func newMediaServer(t *testing.T, redirects ...string) *mediaServer {
	t.Helper()
	m := &mediaServer{redirects: redirects}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mutex.Lock()
		m.asked = append(m.asked, r.URL.Path)
		m.mutex.Unlock()
		var number int
		if _, err := fmt.Sscanf(r.URL.Path, "/redirect/%d", &number); err == nil {
			w.Header().Set("Location", m.redirects[number])
			w.WriteHeader(http.StatusFound)
			return
		}
		fmt.Fprint(w, "a picture")
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *mediaServer) requests() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return len(m.asked)
}

// outputsOf are the outputs of the example: each key has its addresses.
func outputsOf(results map[string][]string, ids map[string]string) any {
	return object{"results": object{"value": results}, "ids": object{"value": ids}}
}

// downloaded are the names of what the script has saved, each of which is the picture.
func (s *sandbox) downloaded() (names []string) {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.directory, "portraits", "*.png"))
	check.Must(s.t, err)
	for _, file := range files {
		check.Equal(s.t, file, readFile(s.t, file), "a picture")
		check.True(s.t, "a plain name", regexp.MustCompile(`^[\w-]+\.png$`).MatchString(filepath.Base(file)), file)
		names = append(names, filepath.Base(file))
	}
	return names
}

// The script of the example writes what the service serves, under plain names, and nothing
// else: no address makes it read a file or write one, and none keeps the others from being saved.
func TestScripts_download(t *testing.T) {
	t.Parallel()
	script := readFile(t, filepath.Join(root, "examples", "download", "download.sh"))
	results := map[string][]string{}
	ids := map[string]string{}
	secret := filepath.Join(t.TempDir(), "secret")
	check.Must(t, os.WriteFile(secret, []byte("the secret"), 0o600))
	server := newMediaServer(t, "file://"+secret, "gopher://127.0.0.1:1/", "ftp://127.0.0.1:1/x")
	texts := hostile()
	for i, text := range texts {
		results[text] = []string{server.URL + "/picture"}
		ids[text] = fmt.Sprint("gen", i, text)
	}
	addresses := []string{
		"file://" + secret, server.URL + "/redirect/0", server.URL + "/redirect/1", server.URL + "/redirect/2",
		server.URL + "/a --output hacked", server.URL + "/a\n--output hacked", "-o hacked " + server.URL,
		server.URL + "/{a,b}", server.URL + "/[1-3]",
	}
	for _, text := range texts {
		if strings.Contains(text, "hacked") {
			addresses = append(addresses, server.URL+"/"+text)
		}
	}
	for i, address := range addresses {
		key := fmt.Sprint("address", i)
		results[key] = []string{address}
		ids[key] = "gen"
	}
	s := newSandbox(t, nil, outputsOf(results, ids))
	output, code := s.run("sh", script, "DOWNLOAD_PROTOCOLS=http,https")
	check.Equal(t, "the exit code\n"+output, code, 1)
	names := s.downloaded()
	for i := range texts {
		saved := slices.ContainsFunc(
			names,
			func(name string) bool { return strings.Contains(name, fmt.Sprintf("-gen%d", i)) },
		)
		check.True(t, "a picture is saved, whatever its key", saved, texts[i], names)
	}
	for i, address := range addresses[:4] {
		check.True(t, "it is refused", !slices.Contains(names, fmt.Sprintf("address%d-gen.png", i)), address)
	}
	check.True(t, "a pattern is one address", server.requests() <= len(results)+2, server.requests())

	asked := server.requests()
	s = newSandbox(t, nil, outputsOf(results, ids))
	_, code = s.run("sh", script)
	check.Equal(
		t,
		"without an exception, https alone",
		[]int{code, server.requests() - asked, len(s.downloaded())},
		[]int{1, 0, 0},
	)
}

// hostilePlan has the hostile texts as keys in each place that a report shows.
func hostilePlan(t *testing.T) any {
	t.Helper()
	var changes []planned
	for i, text := range hostile() {
		prompts := object{text: object{"prompt": "A"}, "kept": object{"prompt": "B"}}
		update := planned{
			Address: fmt.Sprintf("mediagen_generation_group.g[%q]", text),
			Type:    "mediagen_generation_group",
			Change: object{
				"actions": []string{"update"},
				"before": object{
					"deletion_policy": "delete",
					"purchases":       2,
					"cost":            2,
					"title":           text,
					"prompts":         object{text + "was": object{"prompt": "C"}},
					"generations": object{
						text + "was": object{"id": "gen"},
					},
					"result_urls": object{text + "was": []string{text}},
				},
				"after": object{
					"deletion_policy": "delete",
					"purchases":       3,
					"cost":            3,
					"title":           "",
					"prompts":         prompts,
					"generations":     object{},
				},
				"after_unknown": object{"generations": object{text: true}},
			},
		}
		gone := planned{
			Address: fmt.Sprintf("mediagen_generation_group.old[%q]", text),
			Type:    "mediagen_generation_group",
			Change: object{"actions": []string{"delete"}, "before": object{
				"prompts": object{
					text: object{"prompt": fmt.Sprint("again ", i)},
				},
				"generations": object{text: object{"id": text}},
			}},
		}
		again := planned{
			Address: fmt.Sprintf("mediagen_generation_group.new[%q]", text),
			Type:    "mediagen_generation_group",
			Change: object{
				"actions": []string{"create"},
				"after": object{
					"purchases": 1,
					"cost":      1,
					"prompts":   object{text: object{"prompt": fmt.Sprint("again ", i)}},
				},
				"after_unknown": object{"generations": true},
			},
		}
		changes = append(changes, update, gone, again)
	}
	var plan any
	check.Must(t, json.Unmarshal([]byte(planOf(t, changes...)), &plan))
	return plan
}

// Of a foreign text, nothing lives in a comment: it is in code, whose end it cannot write.
// What is left without code and blocks is in our own words, and each row has its five cells.
func TestReport_foreignText(t *testing.T) {
	t.Parallel()
	changes, _ := hostilePlan(t).(map[string]any)["resource_changes"].([]any)
	code := regexp.MustCompile("`[^`]+`")
	ours := regexp.MustCompile(`^[A-Za-z0-9 .,;:*|?…-]*$`)
	block := regexp.MustCompile(`^(moved \{|  (from|to  ) = mediagen_generation_group\.\w+\[".*"\]|\}|)$`)
	invisible := regexp.MustCompile(`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`)
	for part := range slices.Chunk(changes, 3) {
		encoded, err := json.Marshal(object{"resource_changes": part})
		check.Must(t, err)
		report := repotest.Report(t, string(encoded))
		isBlock := false
		for line := range strings.Lines(report) {
			line = strings.TrimSuffix(line, "\n")
			check.True(t, "each character is seen", !invisible.MatchString(line), line)
			switch bare := code.ReplaceAllString(line, ""); {
			case strings.HasPrefix(line, "```"):
				isBlock = !isBlock
			case isBlock:
				check.True(t, "a line of a block", block.MatchString(line), line)
			default:
				check.True(t, "our own words", ours.MatchString(bare), line)
				check.True(
					t,
					"a row of five cells",
					!strings.HasPrefix(line, "|") || strings.Count(line, "|") == 6,
					line,
				)
			}
		}
		check.True(t, "the block ends", !isBlock, report)
		check.Contains(t, "the report", report, "added: `", "removed: `", "**Only renamed?** 1 purchase")
	}
}

// script is one of the examples, for a shell.
type script struct{ name, shell, text string }

// scripts are all that jobs of the examples run.
func scripts(t *testing.T) (all []script) {
	t.Helper()
	for _, file := range glob(t, root, "examples", "ci", "*.yml") {
		var w workflow
		name := filepath.Base(file)
		readYAML(t, filepath.Join("examples", "ci", name), &w)
		for job, content := range w.Jobs {
			for _, step := range content.Steps {
				if step.Run != "" {
					all = append(all, script{name + ": " + job, "bash", "set -o pipefail\n" + step.Run})
				}
			}
		}
	}
	var pipeline map[string]any
	readYAML(t, filepath.Join("examples", "ci", "gitlab", ".gitlab-ci.yml"), &pipeline)
	for job, content := range pipeline {
		parts, _ := content.(map[string]any)
		for _, part := range []string{"before_script", "script", "after_script"} {
			lines, _ := parts[part].([]any)
			for _, line := range lines {
				all = append(all, script{"GitLab: " + job, "sh", fmt.Sprint(line)})
			}
		}
	}
	atlantis := regexp.MustCompile(`(?ms)^ {8}- run: \|.*?\n(( {12}.*?\n)+)`)
	found := atlantis.FindStringSubmatch(readFile(t, filepath.Join(root, "examples", "ci", "atlantis.yaml")))
	check.True(t, "the script of Atlantis", found != nil)
	all = append(all, script{"Atlantis", "sh", found[1]})
	check.True(t, "there are scripts", len(all) > 30, len(all))
	return all
}

// To no script is the name of a branch, a title, a comment or a key a command: it runs with
// each in every variable that a stranger may write.
func TestScripts_jobs(t *testing.T) {
	t.Parallel()
	plan := hostilePlan(t)
	texts := slices.DeleteFunc(hostile(), func(text string) bool { return !strings.Contains(text, "hacked") })
	for round := range 2 {
		s := newSandbox(t, plan, object{})
		store := t.TempDir()
		comments, err := json.Marshal(
			[]object{{"id": 1, "user": object{"login": "stranger"}, "body": "<!-- mediagen -->" + texts[round]}},
		)
		check.Must(t, err)
		s.write(filepath.Join(store, "comments.json"), string(comments))
		s.write(filepath.Join(store, "artifacts.json"), `{"artifacts": []}`)
		s.write(filepath.Join(store, "log"), "")
		variables := []string{
			"GITHUB_REPOSITORY=studio/media", "PULL_REQUEST=7", "GITHUB_STORE=" + store, "RUNNER_TEMP=" + store,
			"GITHUB_WORKFLOW_REF=studio/media/.github/workflows/m.yml@refs/heads/" + texts[round],
			"GITHUB_STEP_SUMMARY=" + filepath.Join(store, "summary.md"), "MEDIAGEN_MAX_PURCHASES=5",
			"AWS_WEB_IDENTITY_TOKEN_FILE=aws-token", "PLANFILE=mediagen.tfplan",
		}
		for i, name := range []string{
			"GITHUB_HEAD_REF", "GITHUB_REF_NAME", "GITHUB_REF", "GITHUB_ACTOR", "CI_COMMIT_BRANCH",
			"CI_COMMIT_REF_NAME", "CI_COMMIT_MESSAGE", "CI_MERGE_REQUEST_TITLE", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
			"HEAD_BRANCH_NAME",
			"USER_NAME", "PULL_AUTHOR", "AWS_OIDC_TOKEN", "COMMIT", "GITHUB_SERVER_URL", "GITHUB_RUN_ID",
			"MEDIAGEN_PURCHASE_LOG", "GITHUB_SHA", "PICTURES", "CI_PAGES_URL",
		} {
			variables = append(variables, name+"="+texts[(i+round*5)%len(texts)])
		}
		for _, one := range scripts(t) {
			output, code := s.run(one.shell, one.text, variables...)
			isLimit := strings.Contains(output, "The plan buys ") || strings.Contains(output, "The plan has failed")
			check.True(t, one.name+" succeeds", code == 0 || isLimit, one.text, output)
		}
	}
}
