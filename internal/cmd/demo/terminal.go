package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// terminal is a copy of the configuration, and a CLI that takes the provider
// from a directory instead of a registry.
type terminal struct {
	cli, workspace, cliConfig string
	environment               []string
	// verbose: all of the CLI's output is shown, not only what happened.
	verbose bool
	// told has the warnings already shown, by their summaries.
	told map[string]bool
}

func newTerminal(options options, example, workspace string, s *service) (*terminal, error) {
	for _, example := range []string{smallest, example} {
		err := os.CopyFS(filepath.Join(workspace, example), os.DirFS(filepath.Join(options.examples, example)))
		if err != nil {
			return nil, err
		}
	}
	t := &terminal{
		cli:       options.cli,
		workspace: filepath.Join(workspace, example),
		cliConfig: filepath.Join(workspace, "cli.tfrc"),
		verbose:   options.verbose,
		told:      map[string]bool{},
	}
	config := fmt.Sprintf(
		"provider_installation {\n  dev_overrides {\n    \"mediagen/mediagen\" = %q\n  }\n  direct {}\n}\n",
		options.providerDir,
	)
	if err := os.WriteFile(t.cliConfig, []byte(config), 0o600); err != nil {
		return nil, err
	}
	t.environment = append(slices.DeleteFunc(os.Environ(), isPersonal),
		"TF_CLI_CONFIG_FILE="+t.cliConfig, "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1",
		"MEDIAGEN_BASE_URL="+s.baseURL(), "MEDIAGEN_API_KEY="+apiKey,
	)
	return t, nil
}

// isPersonal reports whether a variable is a setting of the user's own work: one,
// TF_LOG, would hide what the demo shows.
func isPersonal(variable string) bool {
	return strings.HasPrefix(variable, "TF_") || strings.HasPrefix(variable, "MEDIAGEN_")
}

// command is a CLI command that is interrupted, not killed, when ctx ends: it
// must still write the state.
func (t *terminal) command(ctx context.Context, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, t.cli, arguments...)
	command.Dir = t.workspace
	command.Env = t.environment
	command.Stderr = os.Stderr
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGINT) }
	return command
}

// run runs a command, and shows what it did.
func (t *terminal) run(ctx context.Context, name string, arguments ...string) error {
	fmt.Printf("$ %s\n", strings.Join(append([]string{filepath.Base(t.cli), name}, arguments...), " "))
	command := t.command(ctx, slices.Concat([]string{name, "-no-color"}, arguments)...)
	command.Stdout = os.Stdout
	if !t.verbose {
		command.Args = slices.Insert(command.Args, 2, "-json")
		folded := &fold{told: t.told}
		defer folded.end()
		command.Stdout = folded
	}
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(t.cli), name, err)
	}
	return nil
}

// output runs a command whose output is a JSON value.
func (t *terminal) output(ctx context.Context, into any, arguments ...string) error {
	raw, err := t.command(ctx, arguments...).Output()
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// hasActions reports whether the CLI is a Terraform of 1.14 or later.
func (t *terminal) hasActions(ctx context.Context) bool {
	if strings.HasPrefix(filepath.Base(t.cli), "tofu") {
		return false
	}
	var version struct {
		Terraform string `json:"terraform_version"`
	}
	var major, minor int
	if err := t.output(ctx, &version, "version", "-json"); err != nil {
		return false
	}
	_, err := fmt.Sscanf(version.Terraform, "%d.%d", &major, &minor)
	return err == nil && (major > 1 || minor >= 14)
}

// fold shows, of the JSON lines that a CLI prints, those that say what happened.
type fold struct {
	told map[string]bool
	rest []byte
}

// Write implements io.Writer.
func (f *fold) Write(output []byte) (int, error) {
	f.rest = append(f.rest, output...)
	for {
		line, rest, complete := bytes.Cut(f.rest, []byte("\n"))
		if !complete {
			return len(output), nil
		}
		f.rest = rest
		f.line(line)
	}
}

// end shows a last line without an end.
func (f *fold) end() {
	if len(f.rest) > 0 {
		f.line(f.rest)
	}
}

// spent matches what is said when an object that costs credits is done.
var spent = regexp.MustCompile(
	`^mediagen_(body_lora_training|face_lora_training|dataset|generation_group)\..*: (Creation|Modifications) complete`,
)

// event is a line of the CLI.
type event struct {
	Message    string     `json:"@message"`
	Type       string     `json:"type"`
	Diagnostic diagnostic `json:"diagnostic"`
}

type diagnostic struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	Address  string `json:"address"`
}

func (f *fold) line(raw []byte) {
	var event event
	if err := json.Unmarshal(raw, &event); err != nil {
		show(string(raw))
		return
	}
	switch event.Type {
	case "change_summary", "action_progress":
		show(event.Message)
	case "apply_complete":
		if spent.MatchString(event.Message) { // the summary counts the rest
			show(event.Message)
		}
	case "diagnostic":
		f.diagnostic(event.Diagnostic)
	}
}

// diagnostic shows an error, or the beginning of a warning about a resource:
// the CLI's own, such as that of dev_overrides, have no address.
func (f *fold) diagnostic(found diagnostic) {
	title := fmt.Sprintf("%s: %s: %s", found.Severity, found.Address, found.Summary)
	if found.Severity == "error" {
		show(title)
		show(found.Detail)
		return
	}
	if found.Address != "" && !f.told[found.Summary] {
		f.told[found.Summary] = true
		show(title)
	}
}

func show(text string) { fmt.Println("    " + strings.ReplaceAll(text, "\n", "\n    ")) }
