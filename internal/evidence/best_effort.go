package evidence

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// bestEffort runs reads that a plan can do without. It runs one read at a time,
// so that many reads together stay within the time limit. It sends each request
// once, and no request after a failed read.
type bestEffort struct {
	clock     wait.Clock
	turn      *semaphore.Weighted
	remaining time.Duration // in real time
	failed    bool
	gone      map[string]bool // true for characters that TryCapabilities has found gone
}

func (b *bestEffort) run(ctx context.Context, read func(context.Context) error) {
	b.take(ctx, func(ctx context.Context) {
		if !b.failed {
			b.failed = read(ctx) != nil
		}
	})
}

// take runs a read within the remaining time when the read's turn comes. It
// runs the read even after an earlier read has failed.
func (b *bestEffort) take(ctx context.Context, read func(context.Context)) {
	if b.turn.Acquire(ctx, 1) != nil {
		return
	}
	defer b.turn.Release(1)
	if b.remaining <= 0 {
		return
	}
	begun := time.Now()
	bounded, end := context.WithTimeout(wait.Within(transport.OneAttempt(ctx), b.clock, b.remaining), b.remaining)
	defer end()
	read(bounded)
	b.remaining -= time.Since(begun)
}

// TryFind is Characters.Find as a best-effort read. If the list lacks the
// character, found is nil. The character is then Present if its capabilities
// are shown, Gone if they prove that it is gone, and Undecided if they cannot
// be read now.
func (s *Characters) TryFind(ctx context.Context, id string) (found *api.Character, existence Existence) {
	list := s.sharedList()
	s.client.mutex.Lock()
	known := list.byID[id]
	s.client.mutex.Unlock()
	if known != nil {
		return known, Present
	}
	s.client.bestEffort.run(ctx, func(ctx context.Context) error {
		character, complete, err := s.Find(ctx, id)
		switch {
		case character != nil:
			found = character
			existence = Present
		case complete:
			_, failure := s.CapabilitiesOnce(ctx, id)
			existence, err = s.client.Judge(ctx, failure, Evidence{Shown: true})
		}
		return err
	})
	return found, existence
}

// TryCapabilities is CapabilitiesOnce as a best-effort read. The character is
// Gone if the service says so twice and the list of characters lacks it, as far
// as the list could be read. It is Undecided if the capabilities could not be
// read.
func (s *Characters) TryCapabilities(ctx context.Context, id string) (found *api.Capabilities, existence Existence) {
	s.client.bestEffort.run(ctx, func(ctx context.Context) (err error) {
		if s.client.bestEffort.gone[id] {
			existence = Gone
			return nil
		}
		existence, _, err = s.client.Find(ctx, Evidence{Shown: true}, func(ctx context.Context) (err error) {
			found, err = s.CapabilitiesOnce(ctx, id)
			return err
		})
		if existence == Gone {
			_, _ = s.All(ctx) // reads all pages: a message may name a similar character
			if slices.Contains(s.client.Known(""), id) {
				existence = Undecided
			}
		}
		s.client.bestEffort.gone[id] = existence == Gone
		return err
	})
	return found, existence
}

// Listed returns the characters that the shared list has shown so far.
func (s *Characters) Listed() []api.Character {
	list := s.sharedList()
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	listed := make([]api.Character, len(list.order))
	for i, id := range list.order {
		listed[i] = *list.byID[id]
	}
	return listed
}
