package transport

import (
	"context"
	"fmt"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// A 409, 423 or 425 says that an object is busy: other work on it is under way,
// for example a training of a character that is to be deleted. The state
// passes. A request that buys nothing, and may be sent twice, is therefore
// repeated until then, at the pace of a wait, for as long as its operation may
// take.

// maxBusy limits that wait for operations without a timeout: the service's
// answer may be permanent.
const maxBusy = 2 * time.Minute

var busySchedule = wait.Schedule{
	First: 2 * time.Second,
	Min:   20 * time.Second,
	Max:   time.Minute,
}

// noteBusy notes when a request first found its object busy.
func (s *sender) noteBusy(now *attempt) {
	if now.outcome == busy && s.busySince.IsZero() {
		s.busySince = s.client.clock.Now()
	}
}

// busyUntil returns when the request gives up.
func (s *sender) busyUntil(ctx context.Context) time.Time {
	if deadline, is := wait.Deadline(ctx); is {
		return deadline
	}
	return s.busySince.Add(maxBusy)
}

// awaitTurn delays the next attempt. The last attempt is made when the time is
// up.
func (s *sender) awaitTurn(ctx context.Context, asked time.Duration) {
	now := s.client.clock.Now()
	pace := busySchedule
	pause := s.client.turns.Limit(pace.Next)(now.Sub(s.busySince))
	s.notBefore = now.Add(max(asked, pause))
	if until := s.busyUntil(ctx); s.notBefore.After(until) {
		s.notBefore = until
	}
}

// sayBusy adds to the last attempt's error how long the request was repeated,
// and which setting limits that time. It adds nothing if the request was sent
// only once, without a wait.
func (s *sender) sayBusy(ctx context.Context, now *attempt) {
	waited := s.client.clock.Now().Sub(s.busySince)
	_, bounded := wait.Deadline(ctx)
	switch {
	case now.outcome != busy || waited < time.Second:
	case bounded:
		now.err.Err = wait.TimedOut(ctx, waited, nil)
	default:
		now.err.Err = fmt.Errorf("that was still so after %s", wait.Lasted(waited))
	}
}
