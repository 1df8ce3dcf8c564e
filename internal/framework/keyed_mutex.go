package framework

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// KeyedMutex is a mutex for each key. In the zero value none is locked.
type KeyedMutex[K comparable] struct{ byKey sync.Map }

// Lock waits until nobody else has locked the key. The error is that ctx has ended.
func (m *KeyedMutex[K]) Lock(ctx context.Context, key K) (unlock func(), err error) {
	known, _ := m.byKey.LoadOrStore(key, semaphore.NewWeighted(1))
	mutex, _ := known.(*semaphore.Weighted)
	if mutex.Acquire(ctx, 1) != nil {
		return nil, wait.Ended(ctx)
	}
	return func() { mutex.Release(1) }, nil
}
