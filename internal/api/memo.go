package api

import (
	"context"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// memo is what one plan or apply has read of its characters: one request each,
// whoever asks, until it is forgotten. A training reads its status afresh before
// it is paid for; batches share the capabilities, which only a training changes.
type memo[V any] struct {
	mutex   sync.Mutex
	entries map[string]*memoEntry[V]
}

type memoEntry[V any] struct {
	reading wait.ContextMutex
	value   *V // guarded by reading
}

// get returns what is known of a character, or reads it. The read runs under its
// caller's own context: if it fails, the next one in the queue tries. One that
// was overtaken by forget is kept for nobody else.
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
