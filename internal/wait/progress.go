package wait

import (
	"context"
	"fmt"
	"time"
)

const (
	// heartbeat is the longest silence of a wait that a person watches.
	heartbeat = 30 * time.Second
	// throttle is the shortest time between two lines about changes.
	throttle = 5 * time.Second
)

// Progress tells a person how a wait goes, in lines: at once what is said,
// changes at intervals of at least five seconds, and the state of affairs
// again after thirty seconds without a line. It is for one goroutine.
type Progress struct {
	clock Clock
	send  func(line string)
	began time.Time
	last  string
	at    time.Time
}

// NewProgress sends lines to a person.
func NewProgress(clock Clock, send func(line string)) *Progress {
	return &Progress{clock: clock, send: send, began: clock.Now(), at: clock.Now()}
}

// Say sends a line, such as the first and the last.
func (p *Progress) Say(line string) {
	p.last, p.at = line, p.clock.Now()
	p.send(line)
}

// repeat sends the last line again, with the time that has passed.
func (p *Progress) repeat() {
	p.at = p.clock.Now()
	p.send(fmt.Sprintf("%s (after %s)", p.last, p.at.Sub(p.began).Round(time.Second)))
}

// Clock is a clock for the wait. Whoever sleeps on it has what line returns
// sent if it has changed, and at every heartbeat.
func (p *Progress) Clock(line func() string) Clock { return watched{p, line} }

func (p *Progress) update(line string) {
	switch silence := p.clock.Now().Sub(p.at); {
	case silence >= throttle && line != p.last:
		p.Say(line)
	case silence >= heartbeat:
		p.repeat()
	}
}

type watched struct {
	progress *Progress
	line     func() string
}

func (w watched) Now() time.Time { return w.progress.clock.Now() }

// Sleep sleeps in parts that end with the heartbeats.
func (w watched) Sleep(ctx context.Context, d time.Duration) error {
	clock := w.progress.clock
	for until := clock.Now().Add(d); ; {
		w.progress.update(w.line())
		now := clock.Now()
		due := w.progress.at.Add(heartbeat)
		if !due.Before(until) {
			return clock.Sleep(ctx, until.Sub(now))
		}
		if err := clock.Sleep(ctx, due.Sub(now)); err != nil {
			return err
		}
	}
}
