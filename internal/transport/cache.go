package transport

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// outageDuration is how long a failure is shared with later callers.
const outageDuration = 10 * time.Second

// Cache keeps the results of reads, by key, and shares a read among all its
// callers:
//
//   - A result is kept until Refresh. A caller that wants it Afresh reads again.
//   - A read under way is shared with all callers that want its result. It has the values and the
//     deadline of its first caller's context. A caller that gives up leaves the read to the others;
//     the last caller to leave ends it. A caller that wants the result Afresh joins only a read that
//     is afresh itself.
//   - If Refresh is called during a read, only the caller that began it gets the result: the others
//     read again.
//   - A failure is shared with all callers of the read. In an outage it is also shared for
//     outageDuration with later callers other than polls, and a rejection of the credential with
//     polls too. Some failures are not shared: the read's time was up, it was cancelled, it was sent
//     less often than others ask for, or a storm ended it and the caller makes a change. The other
//     callers then read again.
type Cache[K comparable, V any] struct {
	client *Client
	read   func(ctx context.Context, key K) (V, error)

	mutex sync.Mutex
	// reads are under way, have a result, or have failed in an outage.
	reads map[K]*sharedRead[V]
}

// NewCache returns an empty cache of the results that read returns.
func NewCache[K comparable, V any](client *Client, read func(ctx context.Context, key K) (V, error)) *Cache[K, V] {
	return &Cache[K, V]{
		client: client,
		read:   read,
		reads:  map[K]*sharedRead[V]{},
	}
}

// sharedRead is guarded by the cache's mutex until ended is closed. After that,
// it does not change any more.
type sharedRead[V any] struct {
	persistence persistence
	afresh      bool
	cancel      context.CancelFunc
	callers     []context.Context // the callers that wait for it; none once it has ended

	ended     chan struct{}
	endedAt   time.Time // zero while the read is under way
	value     V
	err       error
	overtaken bool // its result may be old
}

// Get returns the kept result, or reads it. A caller that gives up, or whose
// deadline passes, gets wait.Ended.
func (c *Cache[K, V]) Get(ctx context.Context, key K) (value V, err error) {
	ctx, end := wait.Bound(ctx, c.client.clock)
	defer end()
	for ctx.Err() == nil {
		joined, began := c.join(ctx, key)
		select {
		case <-joined.ended:
			if began || joined.isFor(ctx) {
				return joined.value, joined.err
			}
		case <-ctx.Done():
			c.release(key, joined)
		}
	}
	err = wait.Ended(ctx)
	if last := c.client.stormError(err); last != nil {
		err = last
	}
	return value, err
}

// Refresh makes the next Get of the key read again.
func (c *Cache[K, V]) Refresh(key K) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.reads, key)
}

// RefreshAll is Refresh for every key.
func (c *Cache[K, V]) RefreshAll() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	clear(c.reads)
}

// join returns the read to wait for, and whether the caller has begun it.
func (c *Cache[K, V]) join(ctx context.Context, key K) (joined *sharedRead[V], began bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	joined = c.reads[key]
	began = joined == nil || !joined.mayServe(ctx, c.client.clock.Now())
	if began {
		joined = c.begin(ctx, key)
	}
	if joined.endedAt.IsZero() {
		joined.callers = append(joined.callers, ctx)
	}
	return joined, began
}

// begin starts a read. The caller holds the mutex.
func (c *Cache[K, V]) begin(ctx context.Context, key K) *sharedRead[V] {
	bounded, cancel := context.WithCancel(context.WithoutCancel(ctx))
	begun := &sharedRead[V]{
		persistence: persistenceOf(ctx),
		afresh:      IsAfresh(ctx),
		cancel:      cancel,
		ended:       make(chan struct{}),
	}
	c.reads[key] = begun
	go func() {
		defer cancel()
		value, err := c.read(bounded, key)
		c.mutex.Lock()
		defer c.mutex.Unlock()
		begun.value = value
		begun.err = err
		begun.endedAt = c.client.clock.Now()
		begun.callers = nil
		begun.overtaken = c.reads[key] != begun
		failure := reply.ErrorOf(err)
		concernsAll := failure != nil && (failure.Proves.Unanswered || reply.IsUnauthorized(err))
		forOthers := concernsAll && begun.persistence > sentOnce
		if !begun.overtaken && err != nil && !forOthers {
			delete(c.reads, key)
		}
		close(begun.ended)
	}()
	return begun
}

// release ends a read if no caller waits for it any more.
func (c *Cache[K, V]) release(key K, shared *sharedRead[V]) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if !shared.endedAt.IsZero() || shared.isAwaited() {
		return
	}
	shared.cancel()
	if c.reads[key] == shared {
		delete(c.reads, key)
	}
}

func (r *sharedRead[V]) isAwaited() bool {
	return slices.ContainsFunc(r.callers, func(caller context.Context) bool { return caller.Err() == nil })
}

// mayServe reports whether the read serves ctx. A read that is about to be
// cancelled serves nobody else.
func (r *sharedRead[V]) mayServe(ctx context.Context, now time.Time) bool {
	switch {
	case IsAfresh(ctx) && !r.afresh:
		return false
	case r.endedAt.IsZero():
		return r.isAwaited()
	case r.err == nil:
		return !IsAfresh(ctx)
	default:
		return now.Sub(r.endedAt) < outageDuration && (persistenceOf(ctx) != polled || reply.IsUnauthorized(r.err))
	}
}

// isFor reports whether the result of a read that another caller began is valid
// for ctx.
func (r *sharedRead[V]) isFor(ctx context.Context) bool {
	switch {
	case r.overtaken:
		return false
	case r.err == nil, reply.IsUnauthorized(r.err):
		return true
	default:
		isOwnEnd := wait.IsCanceled(r.err) || wait.IsTimeout(r.err)
		wouldOutlast := errors.Is(r.err, errStorm) && isChange(ctx)
		return !isOwnEnd && !wouldOutlast && r.persistence >= persistenceOf(ctx)
	}
}
