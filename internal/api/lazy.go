package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// lazy is a value that the first caller fetches for all. The fetch runs under
// that caller's own context: if it fails, the next one in the queue tries.
type lazy[T any] struct {
	mutex wait.ContextMutex
	value *T
}

func (l *lazy[T]) get(ctx context.Context, fetch func() (*T, error)) (*T, error) {
	if err := l.mutex.Lock(ctx); err != nil {
		return nil, err
	}
	defer l.mutex.Unlock()
	if l.value != nil {
		return l.value, nil
	}
	value, err := fetch()
	if err == nil {
		l.value = value
	}
	return value, err
}
