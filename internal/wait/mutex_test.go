package wait_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestOneHoldsAContextMutex(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mutex wait.ContextMutex
		var group sync.WaitGroup
		began, inside := time.Now(), 0
		for range 5 {
			group.Go(func() {
				if err := mutex.Lock(t.Context()); err != nil {
					t.Error(err)
					return
				}
				defer mutex.Unlock()
				inside++
				if time.Sleep(time.Second); inside != 1 {
					t.Errorf("%d hold it", inside)
				}
				inside--
			})
		}
		group.Wait()
		check.Equal(t, "it took", time.Since(began), 5*time.Second)
	})
}

func TestLockGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mutex wait.ContextMutex
		check.Must(t, mutex.Lock(t.Context()))
		why := errors.New("Ctrl-C")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		began := time.Now()
		wantCanceled(t, mutex.Lock(ctx), why)
		check.Equal(t, "it took", time.Since(began), time.Second)
		mutex.Unlock()
		if err := mutex.Lock(t.Context()); err != nil {
			t.Errorf("who gave up has taken it: %v", err)
		}
	})
}

// A select alone would let in every other caller whose context has ended.
func TestAnEndedContextLocksNothing(t *testing.T) {
	t.Parallel()
	var mutex wait.ContextMutex
	why := errors.New("Ctrl-C")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for range 50 {
		err := mutex.Lock(ctx)
		if err == nil {
			t.Fatal("it was locked")
		}
		wantCanceled(t, err, why)
	}
}

func wantCanceled(t *testing.T, err, cause error) {
	t.Helper()
	if _, canceled := errors.AsType[*wait.CanceledError](err); !canceled || !errors.Is(err, cause) {
		t.Errorf("ended with %v", err)
	}
}
