package mockserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type stream struct {
	*io.PipeWriter
	header http.Header
}

func (s stream) Header() http.Header { return s.header }
func (s stream) WriteHeader(int)     {}
func (s stream) Flush()              {}

// The content comes at once and whenever it changes, and never when nothing does.
func TestDashboardEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service, err := mockserver.New(mockserver.Options{GenerationTime: 10 * time.Second})
		check.Must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		reader, writer := io.Pipe()
		reply := stream{writer, http.Header{}}
		go func() {
			defer writer.Close()
			request, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://mock/_mock/events", http.NoBody)
			service.ServeHTTP(reply, request)
		}()
		events := make(chan string, 100)
		go func() {
			defer close(events)
			for lines := bufio.NewScanner(reader); lines.Scan(); {
				var content string
				data, isData := strings.CutPrefix(lines.Text(), "data: ")
				if isData && json.Unmarshal([]byte(data), &content) == nil {
					events <- content
				}
			}
		}()
		check.Contains(t, "at first", <-events, "Waiting for the first request")
		check.Equal(t, "the type", reply.header.Get("Content-Type"), "text/event-stream")
		service.AddCharacter(mockserver.CharacterSeed{ID: "ada", Name: "A\rda"})
		check.Contains(t, "after a change", <-events, `id="c-ada"`)
		time.Sleep(time.Hour) // of the bubble
		check.Equal(t, "events of no change", len(events), 0)
		job := service.StartTrainingElsewhere("ada")
		check.Contains(t, "with a training", <-events, "20m0s left")
		time.Sleep(10 * time.Second)
		check.True(
			t,
			"an event for each of ten seconds of a training",
			len(events) >= 9 && len(events) <= 11,
			len(events),
		)
		service.CancelTrainingElsewhere("ada", job)
		cancel()
		for range events { // until the handler has returned
		}
	})
}

func TestDashboardTerminates(t *testing.T) {
	t.Parallel()
	service, err := mockserver.New(mockserver.Options{})
	check.Must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check.Must(t, err)
	server := &http.Server{Handler: service, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	request, _ := http.NewRequestWithContext(
		t.Context(),
		http.MethodGet,
		"http://"+listener.Addr().String()+"/_mock/events",
		http.NoBody,
	)
	reply, err := (&http.Client{Transport: transport}).Do(request)
	check.Must(t, err)
	defer reply.Body.Close()
	bounded, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := server.Shutdown(bounded); err != nil {
		t.Errorf("shutdown: %v", err)
		_ = server.Close()
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	check.NoError(t, check.ErrorOf(io.Copy(io.Discard, reply.Body)))
}
