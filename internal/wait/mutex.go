package wait

import (
	"context"
	"sync"
)

// ContextMutex is a mutex whose Lock gives up when its context ends. The zero
// value is unlocked.
type ContextMutex struct {
	once   sync.Once
	locked chan struct{}
}

// Lock returns nil once the caller holds the mutex. It ends with a
// *CanceledError, and without the mutex, if ctx has ended or ends first.
func (m *ContextMutex) Lock(ctx context.Context) error {
	if ctx.Err() != nil {
		return Ended(ctx)
	}
	select {
	case m.channel() <- struct{}{}:
		return nil
	case <-ctx.Done():
		return Ended(ctx)
	}
}

// Unlock lets the next caller in. Only the holder may call it.
func (m *ContextMutex) Unlock() { <-m.channel() }

func (m *ContextMutex) channel() chan struct{} {
	m.once.Do(func() { m.locked = make(chan struct{}, 1) })
	return m.locked
}
