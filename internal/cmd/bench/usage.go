package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// usageCommand makes this program a wrapper around a provider: the CLI starts
// several provider processes for one command, and does not tell their usage.
const usageCommand = "usage"

// usage is the CPU time and memory that a process has used.
type usage struct {
	CPU    time.Duration
	Memory int64 // the largest resident set, in bytes
}

// recordUsage runs a provider and appends its usage to a file.
func recordUsage(file, provider string, arguments []string) (code int) {
	signal.Ignore(os.Interrupt)
	command := exec.CommandContext(context.Background(), provider, arguments...)
	command.Stdin = os.Stdin
	command.Stdout = os.Stdout
	command.Stderr = os.Stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	line, err := json.Marshal(usageOf(command.ProcessState))
	if err != nil {
		return 1
	}
	log, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	defer log.Close()
	if _, err := log.Write(append(line, '\n')); err != nil {
		return 1
	}
	return command.ProcessState.ExitCode()
}

func usageOf(ended *os.ProcessState) usage {
	return usage{CPU: ended.UserTime() + ended.SystemTime(), Memory: memoryOf(ended)}
}

// install writes wrappers of the providers to the place where the CLI looks for
// them.
func (b *bench) install() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	wrappers := filepath.Join(b.room, "providers")
	if err := os.Mkdir(wrappers, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"terraform-provider-mediagen", "terraform-provider-blank"} {
		script := fmt.Sprintf(
			"#!/bin/sh\nexec '%s' %s '%s' '%s' \"$@\"\n",
			self,
			usageCommand,
			b.usageFile(),
			filepath.Join(b.dir, name),
		)
		if err := os.WriteFile(filepath.Join(wrappers, name), []byte(script), 0o700); err != nil {
			return err
		}
	}
	settings := filepath.Join(b.room, "cli.tfrc")
	overrides := fmt.Sprintf(
		"provider_installation {\n  dev_overrides {\n    \"mediagen/mediagen\" = %q\n    \"mediagen/blank\" = "+
			"%[1]q\n  }\n  direct {}\n}\n",
		wrappers,
	)
	if err := os.WriteFile(settings, []byte(overrides), 0o600); err != nil {
		return err
	}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "MEDIAGEN_") {
			b.environment = append(b.environment, variable)
		}
	}
	// This provider switches the SDK's logs off by itself, so the blank one
	// must not log either.
	b.environment = append(b.environment, "TF_LOG_SDK_PROTO=OFF", "TF_LOG_SDK_FRAMEWORK=OFF",
		"TF_CLI_CONFIG_FILE="+settings, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1",
		"MEDIAGEN_BASE_URL="+b.service.url, "MEDIAGEN_API_KEY="+apiKey)
	return nil
}

func (b *bench) usageFile() string { return filepath.Join(b.room, "usage.jsonl") }

// providerUsage returns the usage of the provider's processes since the last
// call: their CPU together, and the memory of the largest.
func (b *bench) providerUsage() (usage, error) {
	content, err := os.ReadFile(b.usageFile())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return usage{}, err
	}
	var all usage
	for line := range strings.Lines(string(content)) {
		var one usage
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return usage{}, err
		}
		all.CPU += one.CPU
		all.Memory = max(all.Memory, one.Memory)
	}
	return all, os.WriteFile(b.usageFile(), nil, 0o600)
}
