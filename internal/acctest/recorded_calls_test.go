package acctest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/provider"
)

// A CLI starts the program of this test as its provider, in processes of its own
// choice, if the environment names a file for the calls: see TestMain.
const callsFile = "RECORD_CALLS_IN"

// recordedCall is a call of a CLI that says something of its command.
type recordedCall struct {
	Process  int
	Name     string
	MayDefer bool
}

// The calls that are recorded.
const (
	configureCall = "ConfigureProvider"
	readCall      = "ReadResource"
	planCall      = "PlanResourceChange"
	applyCall     = "ApplyResourceChange"
)

// wholeProtocol is all of the plugin protocol that the provider serves.
type wholeProtocol interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// recordingProvider is the provider, and records which calls it gets.
type recordingProvider struct {
	wholeProtocol
	file string
}

// serveRecorded is main of the recording provider.
func serveRecorded(file string) error {
	serve, finish := provider.Serve("test", provider.Options{})
	defer finish()
	return tf6server.Serve("registry.terraform.io/mediagen/mediagen", func() tfprotov6.ProviderServer {
		whole, isWhole := serve().(wholeProtocol)
		if !isWhole {
			panic("the provider serves no actions or no lists")
		}
		return &recordingProvider{wholeProtocol: whole, file: file}
	})
}

// note appends a call with one write, so that several processes can.
func (p *recordingProvider) note(name string, mayDefer bool) error {
	line, err := json.Marshal(recordedCall{
		Process:  os.Getpid(),
		Name:     name,
		MayDefer: mayDefer,
	})
	if err != nil {
		return fmt.Errorf("a call: %w", err)
	}
	file, err := os.OpenFile(p.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("the file of calls: %w", err)
	}
	defer file.Close()
	_, err = file.Write(append(line, '\n'))
	return err
}

func (p *recordingProvider) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	mayDefer := req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed
	if err := p.note(configureCall, mayDefer); err != nil {
		return nil, err
	}
	return p.wholeProtocol.ConfigureProvider(ctx, req)
}

func (p *recordingProvider) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	mayDefer := req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed
	if err := p.note(readCall, mayDefer); err != nil {
		return nil, err
	}
	return p.wholeProtocol.ReadResource(ctx, req)
}

func (p *recordingProvider) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	mayDefer := req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed
	if err := p.note(planCall, mayDefer); err != nil {
		return nil, err
	}
	return p.wholeProtocol.PlanResourceChange(ctx, req)
}

func (p *recordingProvider) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if err := p.note(applyCall, false); err != nil {
		return nil, err
	}
	return p.wholeProtocol.ApplyResourceChange(ctx, req)
}

// recordsCalls makes the CLI run the recording provider instead of the real
// program, and returns the file with the calls.
func (m *terminal) recordsCalls() (file string) {
	m.t.Helper()
	workspace := m.t.TempDir()
	program, err := os.Executable()
	check.Must(m.t, err)
	check.Must(m.t, os.Symlink(program, filepath.Join(workspace, "terraform-provider-mediagen")))
	settings := filepath.Join(workspace, "cli.tfrc")
	check.Must(m.t, os.WriteFile(settings, []byte(overridesOf(workspace)), 0o600))
	file = filepath.Join(workspace, "calls")
	m.setenv("TF_CLI_CONFIG_FILE", settings)
	m.setenv(callsFile, file)
	return file
}

// takeCalls returns the calls since the last time, of each process that got more
// than a configuration.
func takeCalls(t *testing.T, file string) (processes [][]recordedCall) {
	t.Helper()
	recorded, err := os.ReadFile(file)
	check.Must(t, err)
	check.Must(t, os.Remove(file))
	var order []int
	calls := map[int][]recordedCall{}
	for line := range bytes.Lines(recorded) {
		var call recordedCall
		decode(t, string(line), &call)
		if calls[call.Process] == nil {
			order = append(order, call.Process)
		}
		calls[call.Process] = append(calls[call.Process], call)
	}
	for _, process := range order {
		if len(calls[process]) > 1 {
			processes = append(processes, calls[process])
		}
	}
	return processes
}
