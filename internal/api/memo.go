package api

import (
	"context"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// memo caches what a plan or apply has read of its characters: one request
// each, for all callers, until it is forgotten. Reads before a purchase bypass
// it.
type memo[V any] struct {
	mutex   sync.Mutex
	entries map[string]*memoEntry[V]
}

type memoEntry[V any] struct {
	reading wait.ContextMutex
	value   *V // guarded by reading
}

// get returns what is cached of a character, or reads it. The read uses its
// caller's context: if it fails, the next caller in the queue tries. A read
// that forget overtakes is not kept for other callers.
func (m *memo[V]) get(ctx context.Context, characterID string, read func() (*V, error)) (*V, error) {
	entry := m.entry(characterID)
	if err := entry.reading.Lock(ctx); err != nil {
		return nil, err
	}
	defer entry.reading.Unlock()
	if m.entry(characterID) != entry {
		return m.get(ctx, characterID, read)
	}
	if entry.value != nil {
		return entry.value, nil
	}
	value, err := read()
	if err == nil {
		entry.value = value
	}
	return value, err
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

func (m *memo[V]) entry(characterID string) *memoEntry[V] {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.entries == nil {
		m.entries = map[string]*memoEntry[V]{}
	}
	if m.entries[characterID] == nil {
		m.entries[characterID] = new(memoEntry[V])
	}
	return m.entries[characterID]
}
