package api_test

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// reads are the shared reads of a character, and what has each read again.
var reads = map[string]struct {
	read  func(context.Context, *api.Client) error
	write func(context.Context, *api.Client)
}{
	"capabilities": {
		func(ctx context.Context, c *api.Client) error { _, err := c.CapabilitiesOnce(ctx, "ch1"); return err },
		func(_ context.Context, c *api.Client) { c.ForgetTraining("ch1") },
	},
	"capabilities and a training": {
		func(ctx context.Context, c *api.Client) error { _, err := c.CapabilitiesOnce(ctx, "ch1"); return err },
		func(ctx context.Context, c *api.Client) { _, _ = c.StartWork(ctx, api.BodyTraining.Order("ch1", nil)) },
	},
	"training status": {
		func(ctx context.Context, c *api.Client) error { _, err := c.TrainingStatusOnce(ctx, "ch1"); return err },
		func(ctx context.Context, c *api.Client) { _, _ = c.StartWork(ctx, api.BodyTraining.Order("ch1", nil)) },
	},
	"dataset": {
		func(ctx context.Context, c *api.Client) error { _, err := c.DatasetImagesOnce(ctx, "ch1"); return err },
		func(ctx context.Context, c *api.Client) { _, _ = c.RegenerateImage(ctx, "ch1", "i1", "p") },
	},
	"assets": {
		func(ctx context.Context, c *api.Client) error { _, err := c.AssetsOnce(ctx, "ch1"); return err },
		func(ctx context.Context, c *api.Client) { _, _ = c.StartWork(ctx, api.BodyTraining.Order("ch2", nil)) },
	},
}

const everyReply = `{"success":true,"job_id":"j","can_generate":true,"has_active_training":false,"images":[],"assets":[],"total":0}`

// Fault F10.
func TestReadsAreShared(t *testing.T) {
	t.Parallel()
	for name, shared := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gets := 0
			s := newService(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if r.Method == http.MethodGet {
					gets++
				}
				if n == 1 {
					status(400)(w, r, n)
					return
				}
				respond(w, 200, everyReply)
			})
			client := s.client(t)
			if err := shared.read(t.Context(), client); err == nil {
				t.Error("no error of the failed read")
			}
			for round := 2; round <= 3; round++ {
				var group sync.WaitGroup
				for range 10 {
					group.Go(func() {
						check.NoError(t, shared.read(t.Context(), client))
					})
				}
				if group.Wait(); gets != round {
					t.Errorf("round %d: %d reads", round, gets)
				}
				shared.write(t.Context(), client)
			}
		})
	}
}

// What is read while something changes may be old: it is for the reader alone,
// and for nobody who waits for the same.
// Fault F10.
func TestAReadThatAChangeOvertakesIsNotKept(t *testing.T) {
	t.Parallel()
	for name, shared := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var client *api.Client
			gets := 0
			waited := make(chan error, 1)
			s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				if r.Method == http.MethodGet {
					if gets++; gets == 1 {
						go func() { waited <- shared.read(t.Context(), client) }()
						runtime.Gosched()
						shared.write(t.Context(), client)
					}
				}
				respond(w, 200, everyReply)
			})
			client = s.client(t)
			check.NoError(t, shared.read(t.Context(), client))
			if err := <-waited; err != nil || gets < 2 {
				t.Errorf("the one who waited: %v, %d reads", err, gets)
			}
		})
	}
}

// A caller who gives up takes its own read with it, not that of the next.
// Fault F10.
func TestASharedReadEndsWithItsOwnCaller(t *testing.T) {
	t.Parallel()
	for name, shared := range reads {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			s := newService(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if n == 1 {
					cancel()
					<-r.Context().Done()
					return
				}
				respond(w, 200, everyReply)
			})
			client := s.client(t)
			next := make(chan error, 1)
			go func() {
				<-ctx.Done()
				next <- shared.read(t.Context(), client)
			}()
			if err := shared.read(ctx, client); !wait.IsCanceled(err) {
				t.Errorf("the one who gave up: %v", err)
			}
			check.Equal(t, "the next one", <-next, nil)
			if err := shared.read(ctx, client); err == nil {
				t.Error("a read after the end of its context")
			}
		})
	}
}

// The capabilities of one character say nothing of another's.
func TestAChangeOfOneCharacterLeavesTheReadsOfOthers(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, everyReply))
	client := s.client(t)
	for range 2 {
		check.Must(t, check.ErrorOf(client.CapabilitiesOnce(t.Context(), "ch2")))
		client.ForgetTraining("ch1")
	}
	check.Equal(t, "requests sent", len(s.Requests()), 1)
}
