package purchases

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// errLocked says that another process has locked a file at the moment.
var errLocked = errors.New("cannot be locked: another process holds it")

// retryInterval is short compared with a write that is synced to the disk, for
// which the lock is held.
const retryInterval = 10 * time.Millisecond

// Patience says how long the provider waits for a log, in real time: other
// processes hold the lock of a file, and a store may be down. Twice Look, for a
// plan and its apply, plus Store are less than 30 seconds, after which an apply
// has refused.
type Patience struct {
	Tell  time.Duration // until a person is told of the wait
	Buy   time.Duration // for a lock before a purchase, which has to be written down
	Other time.Duration // for any other lock: a line that cannot be written does not delay a state

	Look    time.Duration // for reading a store, once a run
	Store   time.Duration // for writing a purchase to a store
	Attempt time.Duration // for one reply of a store, before the request is repeated
	Record  time.Duration // for writing an event to a store, for which a state waits
}

var defaultPatience = Patience{
	Tell:    time.Second,
	Buy:     30 * time.Second,
	Other:   250 * time.Millisecond,
	Look:    4 * time.Second,
	Store:   18 * time.Second,
	Attempt: 5 * time.Second,
	Record:  3 * time.Second,
}

// locks gives a file to one writer at a time: turn within this process, the
// lock among all processes.
type locks struct {
	turn *semaphore.Weighted
	tell time.Duration
	say  func(ctx context.Context, line string)
}

// acquire opens a file and locks it. Closing the file releases the lock. It
// tries repeatedly instead of blocking, so that the end of ctx ends the wait.
func (l *locks) acquire(ctx context.Context, path string, most time.Duration) (file *os.File, err error) {
	bounded, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	telling := time.AfterFunc(l.tell, func() {
		l.say(ctx, fmt.Sprintf("Waiting for the purchase log %s, which another process holds", path))
	})
	defer telling.Stop()
	if l.turn.Acquire(bounded, 1) != nil {
		return nil, ended(ctx, path)
	}
	defer func() {
		if err != nil {
			l.turn.Release(1)
		}
	}()
	file, err = openToAppend(path)
	if err != nil {
		return nil, err
	}
	for {
		err = tryLock(file)
		if !errors.Is(err, errLocked) {
			break
		}
		select {
		case <-bounded.Done():
			return nil, errors.Join(ended(ctx, path), file.Close())
		case <-time.After(retryInterval):
		}
	}
	if err != nil {
		return nil, errors.Join(&os.PathError{
			Op:   "lock",
			Path: path,
			Err:  err,
		}, file.Close())
	}
	return file, nil
}

func (l *locks) release(file *os.File) error {
	defer l.turn.Release(1)
	return file.Close()
}

// ended returns the reason why a wait for a lock has ended: an interrupt, or
// the end of the time.
func ended(ctx context.Context, path string) error {
	if ctx.Err() != nil {
		return wait.Ended(ctx)
	}
	return fmt.Errorf("%s %w", path, errLocked)
}
