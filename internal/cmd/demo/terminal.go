package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

const extraPrompts = `extra_prompts={ada={beach="On the beach, late summer"}}`

// terminal is a copy of the configuration, and a CLI that takes the provider
// from a directory instead of a registry.
type terminal struct {
	cli, workspace, cliConfig string
	environment               []string
}

func newTerminal(cli, providerDir, workspace, pipeline string, s *service) (*terminal, error) {
	if err := os.CopyFS(filepath.Join(workspace, "pipeline"), os.DirFS(pipeline)); err != nil {
		return nil, err
	}
	t := &terminal{cli: cli, workspace: filepath.Join(workspace, "pipeline"), cliConfig: filepath.Join(workspace, "cli.tfrc")}
	config := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"mediagen/mediagen\" = %q\n  }\n  direct {}\n}\n", providerDir)
	if err := os.WriteFile(t.cliConfig, []byte(config), 0o600); err != nil {
		return nil, err
	}
	t.environment = append(os.Environ(),
		"TF_CLI_CONFIG_FILE="+t.cliConfig, "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1",
		"MEDIAGEN_BASE_URL="+s.baseURL(), "MEDIAGEN_API_KEY="+apiKey,
	)
	return t, nil
}

// command is a CLI command that is interrupted, not killed, when ctx ends: it
// must still write the state.
func (t *terminal) command(ctx context.Context, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, t.cli, arguments...)
	command.Dir, command.Env, command.Stderr = t.workspace, t.environment, os.Stderr
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGINT) }
	return command
}

func (t *terminal) run(ctx context.Context, arguments ...string) error {
	command := t.command(ctx, append(arguments, "-no-color")...)
	command.Stdout = os.Stdout
	fmt.Printf("$ %s", filepath.Base(t.cli))
	for _, argument := range arguments {
		fmt.Printf(" %s", argument)
	}
	fmt.Println()
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(t.cli), arguments[0], err)
	}
	return nil
}

// outputs are the pipeline's outputs that the demo uses.
type outputs struct {
	Results struct {
		Value map[string]map[string][]string `json:"value"`
	} `json:"results"`
}

func (t *terminal) outputs(ctx context.Context) (outputs, error) {
	var decoded outputs
	raw, err := t.command(ctx, "output", "-json").Output()
	if err != nil {
		return decoded, err
	}
	err = json.Unmarshal(raw, &decoded)
	return decoded, err
}
