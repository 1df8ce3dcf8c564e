package api

import (
	"context"
	"sync"
)

// receipts are the log entries of what one create or update has bought, or has taken of
// a killed run.
type receipts struct {
	mutex   sync.Mutex
	entries []*logEntry
}

type receiptsKey struct{}

// Purchasing prepares a create or update that buys. The function that it returns is to be
// called when that ends, in whatever way: the state is stored then, and the log says so.
// What it does not say so of belongs to the next run, if this one is killed.
func (c *Client) Purchasing(ctx context.Context) (context.Context, func()) {
	kept := &receipts{}
	return context.WithValue(ctx, receiptsKey{}, kept), func() {
		for _, entry := range kept.entries {
			if entry.Outcome == outcomeRefused || entry.Outcome == outcomeUnsent {
				continue
			}
			c.log.record(&logEntry{Request: entry.Request, Type: entry.Type, Outcome: outcomeReturned})
		}
		_ = c.log.answersFor(-len(kept.entries))
	}
}

// receiptsOf returns nil outside of Purchasing.
func receiptsOf(ctx context.Context) *receipts {
	kept, _ := ctx.Value(receiptsKey{}).(*receipts)
	return kept
}

// add reports whether there is somebody to say when the purchase has returned.
func (r *receipts) add(entries ...*logEntry) bool {
	if r == nil {
		return false
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.entries = append(r.entries, entries...)
	return true
}
