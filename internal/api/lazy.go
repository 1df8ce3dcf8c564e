package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// turn is a mutex whose wait ends with the caller's context.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

func (t turn) take(ctx context.Context) error {
	if ctx.Err() != nil {
		return &wait.CanceledError{Cause: context.Cause(ctx)}
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &wait.CanceledError{Cause: context.Cause(ctx)}
	}
}

func (t turn) give() { <-t }

// lazy is a value that the first caller fetches for all. The fetch runs under
// that caller's own context: if it fails, the next one in the queue tries.
type lazy[T any] struct {
	turn  turn
	value *T
}

func newLazy[T any]() *lazy[T] { return &lazy[T]{turn: newTurn()} }

func (l *lazy[T]) get(ctx context.Context, fetch func() (*T, error)) (*T, error) {
	if err := l.turn.take(ctx); err != nil {
		return nil, err
	}
	defer l.turn.give()
	if l.value != nil {
		return l.value, nil
	}
	value, err := fetch()
	if err == nil {
		l.value = value
	}
	return value, err
}
