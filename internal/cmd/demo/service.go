package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const apiKey = "demo-api-key"

// service is the mock service in its own process.
type service struct {
	origin  string
	process *os.Process
}

// startService starts it with some flags more.
func startService(ctx context.Context, options options, flags []string) (*service, error) {
	addressFile := filepath.Join(options.providerDir, "mockserver.address")
	if err := os.Remove(addressFile); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	// It outlives this program with -keep, so it does not end with ctx.
	command := exec.CommandContext(
		context.WithoutCancel(ctx),
		filepath.Join(options.providerDir, "mediagen-mockserver"),
		append([]string{
			"-addr",
			"127.0.0.1:0",
			"-address-file",
			addressFile,
			"-api-key",
			apiKey,
			"-balance",
			"1000",
			"-generation-time",
			options.generation.String(),
			"-training-time",
			options.training.String(),
			"-dataset-time",
			options.dataset.String(),
		}, flags...)...)
	command.Stderr = os.Stderr
	// Ctrl-C in the terminal must only reach the CLI, which still needs the
	// service.
	command.SysProcAttr = ownGroup
	if err := command.Start(); err != nil {
		return nil, err
	}
	s := &service{process: command.Process}
	for range 100 {
		if raw, err := os.ReadFile(addressFile); err == nil && strings.HasSuffix(string(raw), "\n") {
			s.origin = strings.TrimSpace(string(raw))
			return s, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.stop()
	return nil, errors.New("the mock service did not start")
}

func (s *service) stop() { _ = s.process.Signal(syscall.SIGTERM) }

func (s *service) dashboard() string { return s.origin + "/_mock/" }

func (s *service) baseURL() string { return s.origin + "/v2" }

// ledger is the service's account.
type ledger struct {
	Balance float64 `json:"balance"`
	Entries []entry `json:"entries"`
}

type entry struct {
	Kind    string   `json:"kind"`
	Credits float64  `json:"credits"`
	Prompts []string `json:"prompts"`
}

func (s *service) ledger(ctx context.Context) (account ledger, err error) {
	err = s.ask(ctx, "/_mock/ledger", &account)
	return account, err
}

// since are the entries that an earlier ledger lacks.
func (l ledger) since(earlier ledger) ledger {
	return ledger{Entries: l.Entries[len(earlier.Entries):]}
}

func (l ledger) purchases() (bought purchases) {
	for _, entry := range l.Entries {
		switch entry.Kind {
		case "training":
			bought.trainings++
		case "dataset":
			bought.datasets++
		case "batch":
			bought.prompts += len(entry.Prompts)
		}
	}
	return bought
}

func (l ledger) credits() (sum float64) {
	for _, entry := range l.Entries {
		sum += entry.Credits
	}
	return sum
}

// inventory is what the service has.
type inventory struct {
	Media      int   `json:"media"`
	Characters []any `json:"characters"`
	Groups     []any `json:"groups"`
}

func (s *service) state(ctx context.Context) (all inventory, err error) {
	err = s.ask(ctx, "/_mock/state", &all)
	return all, err
}

func (s *service) ask(ctx context.Context, path string, answer any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.origin+path, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(answer)
}
