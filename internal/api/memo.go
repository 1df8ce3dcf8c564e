package api

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// memo caches what a plan or apply has read of its characters: one request
// each, for all callers, until it is forgotten. Reads before a purchase bypass
// it, and transport.Afresh begins anew.
type memo[V any] struct {
	clock   wait.Clock
	mutex   sync.Mutex
	entries map[string]*memoEntry[V]
}

type memoEntry[V any] struct {
	reading *transport.Shared[*V]
	value   atomic.Pointer[V]
	// afresh: the read began in a context of transport.Afresh.
	afresh bool
}

// get returns what is cached of a character, or reads it, together with others
// that want it. What forget overtakes is for the one who began the read alone:
// the others read again.
func (m *memo[V]) get(ctx context.Context, characterID string, read func(context.Context) (*V, error)) (*V, error) {
	for {
		entry := m.entry(characterID, transport.IsAfresh(ctx))
		value, began, err := entry.get(ctx, read)
		if began || ctx.Err() != nil || m.entry(characterID, false) == entry {
			return value, err
		}
	}
}

func (e *memoEntry[V]) get(ctx context.Context, read func(context.Context) (*V, error)) (value *V, began bool, err error) {
	if value := e.value.Load(); value != nil && ctx.Err() == nil {
		return value, false, nil
	}
	return e.reading.Do(ctx, func(ctx context.Context) (*V, error) {
		if value := e.value.Load(); value != nil {
			return value, nil
		}
		value, err := read(ctx)
		if err == nil {
			e.value.Store(value)
		}
		return value, err
	})
}

// forget makes the next get read again.
func (m *memo[V]) forget(characterID string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	delete(m.entries, characterID)
}

// forgetAll is forget for every character.
func (m *memo[V]) forgetAll() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	clear(m.entries)
}

// entry returns what is there of a character. Only a read afresh that has not
// ended is one for those who want that.
func (m *memo[V]) entry(characterID string, afresh bool) *memoEntry[V] {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.entries == nil {
		m.entries = map[string]*memoEntry[V]{}
	}
	entry := m.entries[characterID]
	if entry == nil || afresh && (!entry.afresh || entry.value.Load() != nil) {
		entry = &memoEntry[V]{reading: transport.NewShared[*V](m.clock), afresh: afresh}
		m.entries[characterID] = entry
	}
	return entry
}
