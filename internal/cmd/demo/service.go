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

func startService(ctx context.Context, options options) (*service, error) {
	addressFile := filepath.Join(options.providerDir, "mockserver.address")
	if err := os.Remove(addressFile); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	// It outlives this program with -keep, so it does not end with ctx.
	command := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(options.providerDir, "mediagen-mockserver"),
		"-addr", "127.0.0.1:0", "-address-file", addressFile, "-api-key", apiKey,
		"-generation-time", options.generation.String(), "-training-time", options.training.String(), "-balance", "1000",
		"-seed", "id=char_ada,name=Character 1", "-seed", "id=char_lin,name=Character 2")
	command.Stderr = os.Stderr
	// Ctrl-C in the terminal must only reach the CLI, which still needs the
	// service.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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

func (s *service) ledger(ctx context.Context) (ledger, error) {
	var account ledger
	err := s.ask(ctx, "/_mock/ledger", &account)
	return account, err
}

func (s *service) media(ctx context.Context) (int, error) {
	var media struct {
		Count int `json:"count"`
	}
	err := s.ask(ctx, "/_mock/media", &media)
	return media.Count, err
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
