package acctest_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// runner runs jobs of examples/ci as a hosted runner does: a job begins with the
// files of the repository, and of another job it has what that one stored. The
// state and the bucket of the purchase log are where all of them find them.
type runner struct {
	*terminal
	bucket *cloud
	store  string // what the CI system keeps
	role   string // of the cloud, which an action has given to the job
	chat   *chat
}

// chat takes messages at a webhook.
type chat struct {
	address  string
	mutex    sync.Mutex
	messages []string
}

func (r *runner) newChat() *chat {
	c := &chat{}
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		var message struct{ Text string }
		check.NoError(r.t, json.NewDecoder(request.Body).Decode(&message))
		c.mutex.Lock()
		c.messages = append(c.messages, message.Text)
		c.mutex.Unlock()
	}))
	r.t.Cleanup(server.Close)
	authority := filepath.Join(r.t.TempDir(), "authority.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	check.Must(r.t, os.WriteFile(authority, pem.EncodeToMemory(block), 0o600))
	r.setenv("CURL_CA_BUNDLE", authority)
	c.address = server.URL + "/hook"
	return c
}

// told are the messages since it was asked last.
func (c *chat) told() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	told := c.messages
	c.messages = nil
	return told
}

// newRunner has jq, and the commands of CI systems that the jobs use.
func newRunner(t *testing.T) *runner {
	t.Helper()
	m := newPipeline(t)
	if !m.hasTools("bash") {
		t.Skip("the jobs are scripts for bash, which this machine does not have")
	}
	m.installable()
	m.onPath(ciTools(t))
	for _, name := range []string{"purchases.jq", "report.jq", "summary.jq"} {
		m.write(name, repotest.PolicyFile(t, name))
	}
	r := &runner{
		terminal: m,
		bucket:   newCloud(t),
		store:    t.TempDir(),
	}
	m.reachable(r.bucket)
	r.chat = r.newChat()
	m.setenv("GITHUB_STORE", r.store)
	m.setenv("GITHUB_REPOSITORY", "studio/media")
	m.setenv("GITHUB_STEP_SUMMARY", filepath.Join(r.store, "summary.md"))
	m.setenv("GITHUB_SERVER_URL", "https://github.com")
	m.setenv("GITHUB_RUN_ID", "5")
	r.keep("comments.json", strangersComments)
	r.keep("artifacts.json", `{"artifacts": []}`)
	r.keep("log", "")
	return r
}

// strangersComments are on the pull request before ours: each has our mark.
const strangersComments = `[
  {"id": 1, "user": {"login": "stranger"}, "body": "<!-- mediagen --> **The plan buys nothing.**"},
  {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "You wrote <!-- mediagen --> $(touch hacked)"}
]`

// ciTools has jq, and what the jobs ask of GitHub and GitLab.
func ciTools(t *testing.T) (directory string) {
	t.Helper()
	directory = goBuild(t, "./internal/tools/jq")
	for _, name := range []string{"gh", "apk", "aws", "gcloud", "az"} {
		fake, err := filepath.Abs(filepath.Join("testdata", "ci", name))
		check.Must(t, err)
		check.Must(t, os.Symlink(fake, filepath.Join(directory, name)))
	}
	return directory
}

func (r *runner) keep(name, content string) {
	r.t.Helper()
	check.Must(r.t, os.WriteFile(filepath.Join(r.store, name), []byte(content), 0o600))
}

func (r *runner) kept(name string) string {
	r.t.Helper()
	return readFile(r.t, filepath.Join(r.store, name))
}

// begins takes away what an earlier job has left on its runner.
func (r *runner) begins() {
	r.role = ""
	all := []string{"purchases.jsonl", "mediagen.tfplan", "plan.json", "report.md", "numbers.json", "pictures"}
	for _, left := range all {
		r.remove(left)
	}
}

// script runs lines of a job in one shell, beside variables of their own.
func (r *runner) script(lines string, variables ...string) (output string, code int) {
	r.t.Helper()
	command := exec.CommandContext(context.WithoutCancel(r.t.Context()), "bash", "-e", "-o", "pipefail", "-c", lines)
	before := r.environment
	r.environment = slices.Concat(before, variables)
	output, code = r.execute(command)
	r.environment = before
	return output, code
}

type githubStep struct {
	ID            string
	If, Run, Uses string
	Env           map[string]string
	With          struct {
		Name, Path string
		Missing    string `yaml:"if-no-files-found"`
		Role       string `yaml:"role-to-assume"`
	}
}

type githubJob struct {
	Env   map[string]string
	Steps []githubStep
}

// github runs a job of a workflow. A script has no part that GitHub replaces: a
// branch or a title could be one of its commands.
func (r *runner) github(file, job string, more ...string) (output string, code int) {
	r.t.Helper()
	var workflow struct {
		Env      map[string]string
		Defaults struct{ Run struct{ Shell string } }
		Jobs     map[string]githubJob
	}
	readYAML(r.t, filepath.Join("ci", file), &workflow)
	check.Equal(r.t, file+": the shell, which then has pipefail", workflow.Defaults.Run.Shell, "bash")
	r.begins()
	common := append(r.variables(workflow.Env), r.variables(workflow.Jobs[job].Env)...)
	common = append(
		common,
		"RUNNER_TEMP="+r.t.TempDir(),
		"GITHUB_WORKFLOW_REF=studio/media/.github/workflows/"+file+"@refs/heads/main",
		"GITHUB_SHA=9c091bb2",
	)
	for _, step := range workflow.Jobs[job].Steps {
		if !step.runs(code) || step.linksPictures() && !r.hasPictures() {
			continue
		}
		r.uses(step)
		if step.Run == "" {
			continue
		}
		check.True(r.t, "a script that nobody else writes", !strings.Contains(step.Run, "${{"), file, step.Run)
		printed, ended := r.script(step.Run, slices.Concat(common, r.credentials(), r.variables(step.Env), more)...)
		output += printed
		code = max(code, ended)
	}
	return output, code
}

// linksPictures is whether a step runs only if pictures were uploaded.
func (s githubStep) linksPictures() bool {
	return strings.Contains(s.If, "steps.pictures.outputs.artifact-url")
}

// hasPictures is whether the job has pictures to upload.
func (r *runner) hasPictures() bool {
	_, err := os.Stat(filepath.Join(r.directory, "pictures"))
	return err == nil
}

// runs is whether a step runs after those before it.
func (s githubStep) runs(code int) bool {
	switch s.If {
	case "always()", "${{ !cancelled() }}", "${{ !cancelled() && steps.pictures.outputs.artifact-url }}":
		return true
	case "failure()":
		return code != 0
	default:
		return code == 0
	}
}

func (r *runner) variables(written map[string]string) (set []string) {
	r.t.Helper()
	given := strings.NewReplacer(
		"${{ vars.MEDIAGEN_BASE_URL }}", r.URL,
		"${{ secrets.MEDIAGEN_API_KEY }}", "mock-api-key",
		"${{ secrets.CHAT_WEBHOOK }}", r.chat.address,
		"${{ github.token }}", "token",
		"${{ github.repository }}", "studio/media",
		"${{ github.event.number }}", "7",
		"${{ steps.pictures.outputs.artifact-url }}", picturesAt,
		"${{ github.event.pull_request.head.sha }}", "9c091bb2",
	)
	for variable, value := range written {
		value = given.Replace(value)
		check.True(r.t, "what the workflow asks for is known", !strings.Contains(value, "${{"), variable, value)
		if variable != "MEDIAGEN_API_KEY" { // the mock service's own key is set
			set = append(set, variable+"="+value)
		}
	}
	return set
}

// credentials are those that an action has left for the steps after it.
func (r *runner) credentials() []string {
	if r.role == "" {
		return nil
	}
	return credentialsOf(r.role)
}

// uses does what the action of a step does to the job.
func (r *runner) uses(step githubStep) {
	r.t.Helper()
	switch action, _, _ := strings.Cut(step.Uses, "@"); action {
	case "actions/cache": // it is kept under a key that no later run has, and restored by its beginning
		cached := filepath.Join(r.store, step.With.Path)
		if _, err := os.Stat(cached); err == nil {
			check.Must(r.t, os.CopyFS(filepath.Join(r.directory, step.With.Path), os.DirFS(cached)))
		}
	case "actions/upload-artifact":
		if step.ID == "pictures" {
			r.keepPictures(step.With.Path)
			return
		}
		content, err := os.ReadFile(filepath.Join(r.directory, step.With.Path))
		if errors.Is(err, fs.ErrNotExist) && step.With.Missing == "ignore" {
			return
		}
		check.Must(r.t, err)
		check.Must(r.t, os.MkdirAll(filepath.Join(r.store, step.With.Name), 0o700))
		r.keep(filepath.Join(step.With.Name, step.With.Path), string(content))
		if step.With.Name == "purchases" {
			r.keepsArtifacts(false)
		}
	case "aws-actions/configure-aws-credentials":
		role, isKnown := roles[step.With.Role]
		check.True(r.t, "a role that the repository names", isKnown, step.With.Role)
		r.role = role
	case "actions/download-artifact":
		check.Must(r.t, os.CopyFS(r.directory, os.DirFS(filepath.Join(r.store, step.With.Name))))
	}
}

const picturesAt = "https://github.com/studio/media/actions/runs/5/artifacts/6"

// keepPictures keeps a directory, which a later job gets from the cache too.
func (r *runner) keepPictures(name string) {
	r.t.Helper()
	if !r.hasPictures() {
		return
	}
	check.Must(r.t, os.RemoveAll(filepath.Join(r.store, name)))
	check.Must(r.t, os.CopyFS(filepath.Join(r.store, name), os.DirFS(filepath.Join(r.directory, name))))
}

// roles are the variables of the repository.
var roles = map[string]string{
	"${{ vars.AWS_ROLE }}":      logRole,
	"${{ vars.AWS_READ_ROLE }}": readerRole,
}

// keepsArtifacts has GitHub list the log of run 5 on its second page, which may have
// expired. Others with its name are newer: of a fork, of a branch and of another workflow of
// the main branch, which anybody can make run; or they are older.
func (r *runner) keepsArtifacts(expired bool) {
	r.t.Helper()
	const artifact = `{"created_at": %q, "expired": %t, "workflow_run": ` +
		`{"id": %d, "head_branch": %q, "repository_id": 1, "head_repository_id": %d}}`
	first := []string{
		fmt.Sprintf(artifact, "2030-01-06", false, 10, "main", 1),
		fmt.Sprintf(artifact, "2030-01-05", false, 11, "main", 1),
		fmt.Sprintf(artifact, "2030-01-04", false, 9, "main", 2),
		fmt.Sprintf(artifact, "2030-01-03", false, 7, "topic", 1),
	}
	second := []string{
		fmt.Sprintf(artifact, "2030-01-01", true, 4, "main", 1),
		fmt.Sprintf(artifact, "2030-01-02", expired, 5, "main", 1),
	}
	r.keep("artifacts.json", `{"artifacts": [`+strings.Join(first, ",")+`]}`)
	r.keep("artifacts-2.json", `{"artifacts": [`+strings.Join(second, ",")+`]}`)
	for run, of := range map[int][2]string{
		4:  {"push", "without-bucket.yml"},
		5:  {"push", "without-bucket.yml"},
		10: {"issue_comment", "without-bucket.yml"},
		11: {"push", "labels.yml"},
	} {
		about := fmt.Sprintf(`{"event": %q, "path": ".github/workflows/%s"}`, of[0], of[1])
		r.keep(fmt.Sprintf("run-%d.json", run), about)
	}
}

func (r *runner) wantEnd(job string, output string, code, wantCode int, says ...string) {
	r.t.Helper()
	check.Equal(r.t, job+": the exit code\n"+output, code, wantCode)
	check.Contains(r.t, job, output, says...)
}

const oneMorePrompt = `TF_VAR_extra_prompts={ada={beach="On the beach, late summer"}}`

// A team's days: a push is planned, reported and applied; a pull request gets
// one comment, without a key; the night buys nothing, and tells what differs
// once; and the next push finds what the one before has bought in the bucket, to
// which each job has the rights of its role. Fault F42.
func TestAccCI_github(t *testing.T) {
	tier.Long(t, "the jobs of three workflows")
	tier.OneCLI(t, "they install Terraform")
	t.Parallel()
	r := newRunner(t)
	output, code := r.github("mediagen.yml", "plan")
	r.wantEnd("the first plan", output, code, 0, "all: purchases 6, credits unknown")
	check.Contains(t, "the summary of the run", r.kept("summary.md"), "buys 4 prompts and 2 trainings")
	r.WantCount(t, mockserver.RouteBatch, 0)
	output, code = r.github("mediagen.yml", "apply")
	r.wantEnd("the first apply", output, code, 0)
	r.wantRequests(map[string]int{mockserver.RouteStartTraining: 2, mockserver.RouteBatch: 2})
	r.wantLogged(4)

	r.ResetJournal()
	for _, updated := range []string{"", "updated\n"} {
		output, code = r.github("pull-request.yml", "review", "MEDIAGEN_API_KEY=", oneMorePrompt)
		r.wantEnd("the pull request", output, code, 0)
		check.Contains(t, "the comment", r.kept("comment.md"), "buys 1 prompt", "added: `beach`")
		check.Equal(t, "comments that were updated", r.kept("log"), updated)
	}
	r.WantNoRequests(t) // without a key
	r.wantReviewOfFailure()
	r.wantReviewWithoutLog()
	r.wantHarmless()

	output, code = r.github("nightly.yml", "compare")
	r.wantEnd("a quiet night", output, code, 0, "No changes")
	check.Equal(t, "what the chat is told of it", len(r.chat.told()), 0)
	r.losesPictureOf("char_lin")
	r.keep("log", "")
	for range 2 {
		output, code = r.github("nightly.yml", "compare")
		r.wantEnd("a night after a deletion", output, code, 1, "Purchase Limit Exceeded")
	}
	const failed = "Mediagen: the plan has failed or does not tell what it buys"
	told := r.chat.told()
	check.Equal(t, "messages", len(told), 2)
	check.Contains(t, "a message", told[0], failed, " https://github.com/studio/media/actions/runs/5")
	check.Equal(t, "issues", strings.Count(r.kept("log"), "issue create"), 1)
	r.WantCount(t, mockserver.RouteBatch, 0)

	output, code = r.github("mediagen.yml", "plan", oneMorePrompt)
	r.wantEnd("the second plan", output, code, 0, "all: purchases 2")
	output, code = r.github("mediagen.yml", "apply", oneMorePrompt)
	r.wantEnd("the second apply", output, code, 0)
	r.wantLogged(6)

	r.write("others.tf", `
provider "mediagen" {
  alias = "other"
}
resource "mediagen_generation_group" "one" { prompts = { a = { prompt = "A" } } }
resource "mediagen_generation_group" "other" {
  provider = mediagen.other
  prompts  = { a = { prompt = "A" } }
}
`)
	output, code = r.github("mediagen.yml", "plan", oneMorePrompt, "MEDIAGEN_MAX_PURCHASES=1")
	r.wantEnd("a plan beyond the limit", output, code, 1, "The plan buys 2; the limit is 1.") // of both providers
	output, code = r.github("mediagen.yml", "plan", oneMorePrompt, "MEDIAGEN_MAX_PURCHASES=1", "TF_VAR_retrain=2")
	r.wantEnd("a plan beyond the provider's limit", output, code, 1, "Purchase Limit Exceeded")

	r.write("others.tf", `
resource "mediagen_generation_group" "clone" {
  character_id = mediagen_generation_group.this["lin"].character_id
  title        = mediagen_generation_group.this["lin"].title
  prompts      = mediagen_generation_group.this["lin"].prompts
}
`)
	output, code = r.github("mediagen.yml", "plan", oneMorePrompt)
	r.wantEnd("a plan of equal pictures", output, code, 0, "Bought Already for Another Object")
	output, code = r.github("mediagen.yml", "apply", oneMorePrompt)
	r.wantEnd("its apply, which has what the plan has noted", output, code, 0)
	r.bucket.wantObedience()
}

// wantLogged counts the purchases in the bucket.
func (r *runner) wantLogged(purchases int) {
	r.t.Helper()
	check.Equal(r.t, "purchases in the log", strings.Count(r.bucket.lines(), `"outcome":"answered"`), purchases)
}

// wantReviewOfFailure: a plan that fails, or never comes about, takes the place of what the
// comment said before. There is one comment of ours, and the others are as they were.
func (r *runner) wantReviewOfFailure() {
	r.t.Helper()
	output, code := r.github(
		"pull-request.yml",
		"review",
		"MEDIAGEN_API_KEY=",
		"MEDIAGEN_MAX_PURCHASES=0",
		oneMorePrompt,
	)
	r.wantEnd("a review of a plan over the limit", output, code, 1, "Purchase Limit Exceeded")
	check.Contains(r.t, "the comment", r.kept("comment.md"), "**The plan has failed", "Commit 9c091bb2")
	r.write("broken.tf", "resource {")
	output, code = r.github("pull-request.yml", "review", "MEDIAGEN_API_KEY=")
	r.wantEnd("a review of no configuration", output, code, 1)
	check.Contains(r.t, "the comment", r.kept("comment.md"), "**The plan has failed")
	r.remove("broken.tf")
	var comments, strangers []struct{ Body string }
	decode(r.t, r.kept("comments.json"), &comments)
	decode(r.t, strangersComments, &strangers)
	check.Equal(r.t, "comments", len(comments), len(strangers)+1)
	check.Equal(r.t, "those of others", comments[:len(strangers)], strangers)
	check.Contains(r.t, "ours", comments[len(strangers)].Body, "**The plan has failed")
}

// wantReviewWithoutLog: without rights to the log, as on a fork of the
// repository, a review warns and goes on.
func (r *runner) wantReviewWithoutLog() {
	r.t.Helper()
	policies := r.bucket.grant(nil)
	output, code := r.github("pull-request.yml", "review", "MEDIAGEN_API_KEY=", oneMorePrompt)
	r.wantEnd("a review without the log", output, code, 0, "Purchase Log Cannot Be Read", "AccessDenied")
	check.Contains(r.t, "the comment", r.kept("comment.md"), "buys 1 prompt", "added: `beach`")
	r.bucket.grant(policies)
}

// wantHarmless: to the scripts of a review, keys of prompts, branches and addresses
// are text.
func (r *runner) wantHarmless() {
	r.t.Helper()
	const act = "$(touch${IFS}hacked)"
	output, code := r.github(
		"pull-request.yml",
		"review",
		"MEDIAGEN_API_KEY=",
		"TF_VAR_extra_prompts={ada={\"$(touch hacked)`touch hacked`\"=\"On the beach\"}}",
		"GITHUB_HEAD_REF="+act,
		"GITHUB_REF_NAME="+act,
		"MEDIAGEN_PURCHASE_LOG=s3://studio-mediagen/"+act+"?region=eu-central-1",
	)
	r.wantEnd("a hostile review", output, code, 0)
	check.Contains(r.t, "the comment", r.kept("comment.md"), "touch hacked")
	_, err := os.Stat(filepath.Join(r.directory, "hacked"))
	check.True(r.t, "nothing of it was a command", errors.Is(err, fs.ErrNotExist), err)
}

// gallery downloads the pictures of the pipeline, as a guide shows it.
const gallery = `
locals {
  ids = merge([for name, group in mediagen_generation_group.this : {
    for key, generation in group.generations : "${name}-${key}" => generation.id
  }]...)
}

resource "terraform_data" "downloaded" {
  input = local.ids

  lifecycle {
    action_trigger {
      events  = [before_create, before_update]
      actions = [action.mediagen_download_generations.all]
    }
  }
}

action "mediagen_download_generations" "all" {
  config {
    generation_ids  = local.ids
    directory       = "${path.module}/pictures/all"
    groups          = values(mediagen_generation_group.this)
    gallery         = "${path.module}/pictures"
    keep_superseded = true
  }
}
`

// The pictures of an apply are linked where it was reviewed, with those of the
// applies before it. An apply that downloads nothing links nothing.
func TestAccCI_githubPictures(t *testing.T) {
	tier.Long(t, "the jobs of a workflow")
	tier.OneCLI(t, "they install Terraform")
	t.Parallel()
	r := newRunner(t)
	r.needs(tfversion.Version1_14_0, "actions")
	deploys := func(more ...string) {
		for _, job := range []string{"plan", "apply"} {
			output, code := r.github("mediagen.yml", job, more...)
			r.wantEnd(job, output, code, 0)
		}
	}
	deploys()
	_, err := os.Stat(filepath.Join(r.store, "pictures.md"))
	check.True(t, "there are no pictures to link", errors.Is(err, fs.ErrNotExist), err)
	r.write("gallery.tf", gallery)
	deploys()
	check.Contains(t, "the comment", r.kept("pictures.md"), "[The pictures]("+picturesAt+") after this apply")
	check.Contains(t, "the summary", r.kept("summary.md"), "[The pictures]("+picturesAt+")")
	page := filepath.Join("pictures", "index.html")
	check.Equal(t, "pictures", strings.Count(r.kept(page), "<img"), 4)
	deploys(oneMorePrompt)
	check.Equal(t, "pictures of both applies", strings.Count(r.kept(page), "<img"), 5)
	r.WantCount(t, mockserver.RouteMedia, 5)
}

// Without a bucket each job has the file of the job before, and of that alone:
// others may upload what has the same name. Fault F42.
func TestAccCI_withoutBucket(t *testing.T) {
	tier.Long(t, "the jobs of a workflow")
	tier.OneCLI(t, "they install Terraform")
	t.Parallel()
	r := newRunner(t)
	for _, day := range []struct {
		logged int
		more   string
	}{{4, "TF_VAR_extra_prompts={}"}, {5, oneMorePrompt}} {
		output, code := r.github("without-bucket.yml", "plan", day.more)
		r.wantEnd("a plan", output, code, 0)
		output, code = r.github("without-bucket.yml", "apply", day.more)
		r.wantEnd("its apply", output, code, 0)
		log := r.kept("purchases/purchases.jsonl")
		check.Equal(t, "purchases in the log", strings.Count(log, `"outcome":"answered"`), day.logged)
	}
	check.Equal(t, "objects of the bucket", r.bucket.count(), 0)

	r.ResetJournal()
	r.keepsArtifacts(true)
	output, code := r.github("without-bucket.yml", "apply", oneMorePrompt)
	r.wantEnd("an apply whose log has expired", output, code, 1, "The purchase log of run 5 has expired")
	r.keepsArtifacts(false)
	r.keep("down", "")
	output, code = r.github("without-bucket.yml", "apply", oneMorePrompt)
	r.wantEnd("an apply while GitHub answers nothing", output, code, 1, "HTTP 503")
	r.WantCount(t, "", 0)
}

// losesPictureOf has somebody delete a generation of a character at the service.
func (r *runner) losesPictureOf(character string) {
	r.t.Helper()
	for _, group := range r.Groups() {
		if group.CharacterID == character && group.Title != "Portraits" {
			r.DeleteGenerationBehindTheBack(group.Generations[0].ID)
			return
		}
	}
	r.t.Fatalf("%s has no generation", character)
}

type gitlabJob struct {
	Variables map[string]string
	Tokens    map[string]struct{ Aud string } `yaml:"id_tokens"`
	Script    []string
	After     []string `yaml:"after_script"`
	Artifacts struct {
		When  string
		Paths []string
	}
}

type gitlabPipeline struct {
	Default struct {
		Before []string `yaml:"before_script"`
	}
	Variables                    map[string]string
	Review, Plan, Apply, Nightly gitlabJob
	Pages                        gitlabJob

	project map[string]string // its variables: those that the header of the file asks for
}

func (r *runner) newGitLab() *gitlabPipeline {
	r.t.Helper()
	file := filepath.Join("ci", "gitlab", ".gitlab-ci.yml")
	header, _, _ := strings.Cut(readFile(r.t, filepath.Join(examples, file)), "\ndefault:")
	p := &gitlabPipeline{project: map[string]string{
		"MEDIAGEN_BASE_URL":           r.URL,
		"MEDIAGEN_TOKEN_PROVIDER_URL": r.tokenProvider("", "main"),
		"LOG_ROLE":                    logRole,
		"LOG_READ_ROLE":               readerRole,
		"CHAT_WEBHOOK":                r.chat.address,
	}}
	for variable := range p.project {
		check.Contains(r.t, "the variables that the header asks for", header, variable)
	}
	readYAML(r.t, file, p)
	r.issuer.Claims = claimsOf(branches["GitLab"])
	r.unsetenv("MEDIAGEN_API_KEY")
	return p
}

// environment is what GitLab gives a job: a project's variables win over the file's.
func (r *runner) environmentOf(p *gitlabPipeline, job gitlabJob) (set []string) {
	r.t.Helper()
	values := map[string]string{"CI_PROJECT_DIR": r.directory, "CI_PAGES_URL": "https://studio.gitlab.io/media"}
	maps.Copy(values, p.Variables)
	maps.Copy(values, job.Variables)
	maps.Copy(values, p.project)
	valueOf := func(text string) string { return os.Expand(text, func(name string) string { return values[name] }) }
	for variable, value := range values {
		set = append(set, variable+"="+valueOf(value))
	}
	for variable, token := range job.Tokens {
		proof := cloudToken
		if token.Aud != "sts.amazonaws.com" {
			proof = r.issuer.Token(valueOf(token.Aud))
		}
		set = append(set, variable+"="+proof)
	}
	return append(set, credentialsOf(valueOf(valueOf(values["AWS_ROLE_ARN"])))...)
}

// gitlab runs a job. What runs after its script does so in a shell of its own, and its
// failure is none of the job.
func (r *runner) gitlab(p *gitlabPipeline, job gitlabJob, wantCode int, more ...string) (output string) {
	r.t.Helper()
	environment := append(r.environmentOf(p, job), more...)
	output, code := r.script(strings.Join(slices.Concat(p.Default.Before, job.Script), "\n"), environment...)
	if job.After != nil {
		printed, _ := r.script(strings.Join(job.After, "\n"), environment...)
		output += printed
	}
	r.wantEnd("a job", output, code, wantCode)
	check.Equal(r.t, "the token of the job", r.read("aws-token"), cloudToken)
	return output
}

func (r *runner) gitlabDeploys(p *gitlabPipeline) {
	r.t.Helper()
	r.begins()
	r.gitlab(p, p.Plan, 0)
	planned := r.read("mediagen.tfplan")
	r.begins()
	r.write("mediagen.tfplan", planned)
	r.gitlab(p, p.Apply, 0)
	check.Equal(r.t, "what a later job has of it", p.Apply.Artifacts.Paths, []string{"pictures"})
	check.Equal(r.t, "what is published", p.Pages.Artifacts.Paths, []string{"public"})
	output, code := r.script(strings.Join(p.Pages.Script, "\n"))
	r.wantEnd("the job of the pages", output, code, 0)
}

// GitLab has the same days: its report on a merge request has our numbers. Each job has the
// variables that the header of the file asks for, and no key.
func TestAccCI_gitlab(t *testing.T) {
	tier.Long(t, "the jobs of a pipeline")
	tier.OneCLI(t, "they install Terraform")
	t.Parallel()
	r := newRunner(t)
	r.needs(tfversion.Version1_14_0, "actions")
	p := r.newGitLab()
	r.write("gallery.tf", gallery)
	r.gitlabDeploys(p)
	r.wantLogged(4)
	page := r.read(filepath.Join("public", "index.html"))
	check.Equal(t, "pictures that are published", strings.Count(page, "<img"), 4)
	r.remove("public")

	r.begins()
	r.ResetJournal()
	_, isGiven := p.Review.Tokens["MEDIAGEN_OIDC_TOKEN"]
	check.True(
		t,
		"a review has no token for the token provider",
		!isGiven && len(p.Review.Tokens) == 1,
		p.Review.Tokens,
	)
	output := r.gitlab(p, p.Review, 0, oneMorePrompt)
	check.Contains(t, "the report", output, "buys 1 prompt", "added: `beach`")
	check.Contains(t, "the report", r.read("report.md"), "\n[The pictures so far](https://studio.gitlab.io/media)\n")
	check.Equal(t, "the numbers", r.read("numbers.json"), `{"create":1,"delete":0,"update":0}`+"\n")
	r.WantNoRequests(t) // without a key
	r.begins()
	r.gitlab(p, p.Review, 1, oneMorePrompt, "MEDIAGEN_MAX_PURCHASES=0")
	check.Contains(t, "the report of a failure", r.read("report.md"), "**The plan has failed")
	check.Equal(t, "its numbers", r.read("numbers.json"), "")
	check.Equal(t, "when they are kept", p.Review.Artifacts.When, "always")

	check.Contains(t, "the night", r.gitlab(p, p.Nightly, 0), "No changes")
	check.Equal(t, "what the chat is told of it", len(r.chat.told()), 0)
	r.losesPictureOf("char_lin")
	check.Contains(t, "a night after a deletion", r.gitlab(p, p.Nightly, 1), "Purchase Limit Exceeded")
	check.Equal(t, "messages", len(r.chat.told()), 1)

	r.gitlabDeploys(p)
	r.wantLogged(5)
	r.issuer.Claims = claimsOf([]string{"topic"})
	check.Contains(t, "a job of a branch", r.gitlab(p, p.Plan, 1), "its branch may not have a token")
	r.bucket.wantObedience()
}

// Atlantis comments what the report says, and hides the plan of the CLI.
func TestAccCI_atlantis(t *testing.T) {
	tier.Long(t, "a job of a server")
	tier.OneCLI(t, "it installs Terraform")
	t.Parallel()
	r := newRunner(t)
	var config struct {
		Workflows struct {
			Mediagen struct{ Plan, Apply struct{ Steps []any } }
		}
	}
	readYAML(t, filepath.Join("ci", "atlantis.yaml"), &config)
	steps := config.Workflows.Mediagen.Plan.Steps
	set, _ := steps[0].(map[string]any)["env"].(map[string]any)
	check.Equal(t, "the log", []any{set["name"], set["value"]}, []any{"MEDIAGEN_PURCHASE_LOG", cloudLog})
	check.Equal(t, "the next step", steps[1], any("init"))
	plan, _ := steps[2].(map[string]any)["run"].(string)
	check.Equal(t, "the steps of an apply", config.Workflows.Mediagen.Apply.Steps, []any{steps[0], "apply"})
	variables := append(credentialsOf(logRole), "MEDIAGEN_PURCHASE_LOG="+cloudLog, "PLANFILE=mediagen.tfplan")
	output, code := r.script("terraform init", variables...)
	r.wantEnd("the init", output, code, 0)
	output, code = r.script(plan, append(variables, "MEDIAGEN_MAX_PURCHASES=0")...)
	r.wantEnd("the comment of a failure", output, code, 1, "**The plan has failed", "Purchase Limit Exceeded")
	output, code = r.script("terraform apply mediagen.tfplan", variables...)
	r.wantEnd("an apply of it", output, code, 1, "mediagen.tfplan")
	output, code = r.script(plan, variables...)
	r.wantEnd("the comment", output, code, 0, "buys 4 prompts and 2 trainings")
	check.True(t, "the CLI's plan is not in it", !strings.Contains(output, "Terraform will perform"), output)
	output, code = r.script("terraform apply mediagen.tfplan", variables...)
	r.wantEnd("the apply", output, code, 0)
	r.wantLogged(4)
}
