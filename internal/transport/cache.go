package transport

import (
	"context"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// outageHolds is how long a failure of a shared read in an outage, or a rejection of
// the credential, is the result of those who come later.
const outageHolds = 10 * time.Second

// Cache keeps what reads have found, by key. It is the one way in which those
// who want the same share a read:
//
//   - What was found is kept until Forget. Those who want it Afresh read again.
//   - A read under way is for all who want its result. It has the values of its
//     first caller's context, and the last of all their deadlines. Who gives up
//     leaves it to the others; the last one to leave ends it. Those who want it
//     Afresh join only a read afresh.
//   - What Forget overtakes is for the one who began the read: the others read
//     again.
//   - Its failure is for all of them; in an outage, for outageHolds, also for
//     those who come later, other than polls, and so is a rejection of the
//     credential, for polls too. But the failure of a read whose time
//     was up, that was cancelled, or that was sent less often than others ask for,
//     is for the one who began it: the others read again.
type Cache[K comparable, V any] struct {
	clock wait.Clock
	read  func(ctx context.Context, key K) (V, error)

	mutex sync.Mutex
	// reads are under way, or have found something.
	reads map[K]*sharedRead[V]
	// outages are the last reads that have failed in one.
	outages map[K]*sharedRead[V]
}

// NewCache returns an empty cache of what read finds.
func NewCache[K comparable, V any](clock wait.Clock, read func(ctx context.Context, key K) (V, error)) *Cache[K, V] {
	return &Cache[K, V]{clock: clock, read: read, reads: map[K]*sharedRead[V]{}, outages: map[K]*sharedRead[V]{}}
}

// sharedRead is a read of a cache, whose mutex guards all of it until ended is
// closed; then nothing changes any more.
type sharedRead[V any] struct {
	persistence persistence
	afresh      bool
	cancel      context.CancelFunc
	// callers has the contexts of those that wait; nil once the read has ended.
	callers map[*context.Context]struct{}

	ended   chan struct{}
	endedAt time.Time
	value   V
	err     error
	// overtaken: what it found may be old.
	overtaken bool
}

// Get returns what is kept, or reads it, see Cache. Who gives up, or whose
// deadline passes, gets what wait.Ended says.
func (c *Cache[K, V]) Get(ctx context.Context, key K) (value V, err error) {
	ctx, end := wait.Bound(ctx, c.clock)
	defer end()
	for ctx.Err() == nil {
		joined, final := c.join(&ctx, key)
		select {
		case <-joined.ended:
			if final || joined.isFor(ctx) {
				return joined.value, joined.err
			}
		case <-ctx.Done():
			c.leave(&ctx, key, joined)
		}
	}
	return value, wait.Ended(ctx)
}

// Forget makes the next Get of the key read again.
func (c *Cache[K, V]) Forget(key K) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.reads, key)
	delete(c.outages, key)
}

// ForgetAll is Forget for every key.
func (c *Cache[K, V]) ForgetAll() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	clear(c.reads)
	clear(c.outages)
}

// join returns the read to wait for, and whether its result is the caller's
// whatever it is.
func (c *Cache[K, V]) join(caller *context.Context, key K) (joined *sharedRead[V], final bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if failed := c.outages[key]; failed != nil && failed.stillFails(*caller, c.clock.Now()) {
		return failed, true
	}
	joined = c.reads[key]
	if final = joined == nil || !joined.serves(*caller); final {
		joined = c.begin(*caller, key)
	}
	if joined.callers != nil {
		joined.callers[caller] = struct{}{}
	}
	return joined, final
}

// begin is called with the mutex held.
func (c *Cache[K, V]) begin(ctx context.Context, key K) *sharedRead[V] {
	begun := &sharedRead[V]{
		persistence: persistenceOf(ctx), afresh: IsAfresh(ctx), callers: map[*context.Context]struct{}{}, ended: make(chan struct{}),
	}
	bounded := wait.WithLastDeadline(context.WithoutCancel(ctx), func() []context.Context {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		return begun.waiting()
	})
	bounded, begun.cancel = context.WithCancel(bounded)
	c.reads[key] = begun
	go func() {
		defer begun.cancel()
		value, err := c.read(bounded, key)
		c.mutex.Lock()
		defer c.mutex.Unlock()
		begun.value, begun.err, begun.endedAt, begun.callers = value, err, c.clock.Now(), nil
		if begun.overtaken = c.reads[key] != begun; !begun.overtaken {
			c.keep(key, begun)
		}
		close(begun.ended)
	}()
	return begun
}

// keep is called with the mutex held, when a read has ended.
func (c *Cache[K, V]) keep(key K, ended *sharedRead[V]) {
	if ended.err == nil {
		delete(c.outages, key)
		return
	}
	delete(c.reads, key)
	failure := errorOf(ended.err)
	if failure != nil && (failure.Unanswered || IsUnauthorized(failure)) && ended.persistence > sentOnce {
		c.outages[key] = ended
	}
}

func (c *Cache[K, V]) leave(caller *context.Context, key K, left *sharedRead[V]) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(left.callers, caller)
	if left.callers == nil || len(left.callers) > 0 {
		return
	}
	left.cancel()
	if c.reads[key] == left {
		delete(c.reads, key)
	}
}

// waiting are the callers that have not given up.
func (r *sharedRead[V]) waiting() (waiting []context.Context) {
	for caller := range r.callers {
		if (*caller).Err() == nil {
			waiting = append(waiting, *caller)
		}
	}
	return waiting
}

// serves reports whether ctx needs no other read. One that is about to be
// cancelled is nobody else's.
func (r *sharedRead[V]) serves(ctx context.Context) bool {
	if r.callers == nil {
		return !IsAfresh(ctx)
	}
	return (r.afresh || !IsAfresh(ctx)) && len(r.waiting()) > 0
}

// stillFails reports whether a read that failed in an outage is the result of
// ctx.
func (r *sharedRead[V]) stillFails(ctx context.Context, now time.Time) bool {
	holds := persistenceOf(ctx) != polled || IsUnauthorized(r.err)
	return holds && now.Sub(r.endedAt) < outageHolds && (r.afresh || !IsAfresh(ctx))
}

// isFor reports whether the result of a read that another caller began is one
// for ctx.
func (r *sharedRead[V]) isFor(ctx context.Context) bool {
	if r.overtaken || r.err == nil {
		return !r.overtaken
	}
	return !IsCanceled(r.err) && !IsTimeout(r.err) && r.persistence >= persistenceOf(ctx)
}
