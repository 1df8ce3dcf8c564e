package api

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// bestEffort runs reads that a plan can do without: one at a time, so that many
// together take no longer than allowed. It sends each request once, and none
// after a read that failed.
type bestEffort struct {
	clock  wait.Clock
	turn   *semaphore.Weighted
	left   time.Duration // in real time
	failed bool
	gone   map[string]bool // the characters that TryCapabilities has found gone
}

func (b *bestEffort) run(ctx context.Context, read func(context.Context) error) {
	b.take(ctx, func(ctx context.Context) {
		if !b.failed {
			b.failed = read(ctx) != nil
		}
	})
}

// take gives a read, also after one that failed, its turn and what is left of
// the time.
func (b *bestEffort) take(ctx context.Context, read func(context.Context)) {
	if b.turn.Acquire(ctx, 1) != nil {
		return
	}
	defer b.turn.Release(1)
	if b.left <= 0 {
		return
	}
	begun := time.Now()
	bounded, end := context.WithTimeout(wait.Within(transport.OneAttempt(ctx), b.clock, b.left), b.left)
	defer end()
	read(bounded)
	b.left -= time.Since(begun)
}

// TryFindCharacter is FindCharacter as a best-effort read. A character that the
// list lacks is nil, and Present if its capabilities show it, else Gone;
// Undecided if this cannot be read now.
func (c *Client) TryFindCharacter(ctx context.Context, id string) (found *Character, existence Existence) {
	list := c.sharedList()
	c.mutex.Lock()
	known := list.byID[id]
	c.mutex.Unlock()
	if known != nil {
		return known, Present
	}
	c.bestEffort.run(ctx, func(ctx context.Context) error {
		character, complete, err := c.FindCharacter(ctx, id)
		switch {
		case character != nil:
			found = character
			existence = Present
		case complete:
			_, failure := c.CapabilitiesOnce(ctx, id)
			existence, err = c.Judge(ctx, failure, Evidence{Shown: true})
		}
		return err
	})
	return found, existence
}

// TryCapabilities is CapabilitiesOnce as a best-effort read. The character is
// Gone if the service says so twice and its list, read as far as possible,
// lacks it; Undecided if that is not read.
func (c *Client) TryCapabilities(ctx context.Context, id string) (found *Capabilities, existence Existence) {
	c.bestEffort.run(ctx, func(ctx context.Context) (err error) {
		if c.bestEffort.gone[id] {
			existence = Gone
			return nil
		}
		existence, _, err = c.Find(ctx, Evidence{Shown: true}, func(ctx context.Context) (err error) {
			found, err = c.CapabilitiesOnce(ctx, id)
			return err
		})
		if existence == Gone {
			_, _ = c.AllCharacters(ctx) // also for what is similar
			if slices.Contains(c.Known(""), id) {
				existence = Undecided
			}
		}
		c.bestEffort.gone[id] = existence == Gone
		return err
	})
	return found, existence
}

// ListedCharacters returns those that the shared list has shown so far.
func (c *Client) ListedCharacters() []Character {
	list := c.sharedList()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	listed := make([]Character, len(list.order))
	for i, id := range list.order {
		listed[i] = *list.byID[id]
	}
	return listed
}
