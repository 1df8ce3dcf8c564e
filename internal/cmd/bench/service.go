package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const apiKey = "bench-api-key"

// service is the mock service, in this process, so that its CPU does not count
// as the provider's.
type service struct {
	*mockserver.Server
	url      string
	listener *http.Server
	// known counts the characters.
	known int
}

// startService starts a service whose generations end at once.
func startService(ctx context.Context) (*service, error) {
	mock, err := mockserver.New(mockserver.Options{
		APIKey:         apiKey,
		GenerationTime: -1,
		TrainingTime:   -1,
		Balance:        1e9,
		MaxFaceImages:  1000,
		OnViolation:    func(text string) { fmt.Fprintln(os.Stderr, "violation of the contract:", text) },
	})
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &service{
		Server:   mock,
		url:      fmt.Sprintf("http://%s/v2", listener.Addr()),
		listener: &http.Server{Handler: mock, ReadHeaderTimeout: time.Minute},
	}
	go func() { _ = s.listener.Serve(listener) }()
	return s, nil
}

func (s *service) stop() { _ = s.listener.Close() }

// characters adds characters until there are n. Their ids are ch_00000 and on,
// and nothing else distinguishes them: copyFirst makes the state of all from
// the state of the first, and none must look changed.
func (s *service) characters(n int) {
	created := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for ; s.known < n; s.known++ {
		id := fmt.Sprintf("ch_%05d", s.known)
		s.AddCharacter(mockserver.CharacterSeed{
			ID:        id,
			Name:      "Name of " + id,
			CreatedAt: created,
		})
	}
}

// latency delays every reply from now on.
func (s *service) latency(delay time.Duration) {
	s.ClearFaults()
	if delay > 0 {
		s.Fault(mockserver.Fault{Delay: delay})
	}
}
