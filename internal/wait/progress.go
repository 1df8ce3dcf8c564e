package wait

import (
	"context"
	"fmt"
	"time"
)

const (
	heartbeat = 30 * time.Second // the longest time without a line
	throttle  = 5 * time.Second  // the shortest time between two lines about changes
)

// Progress reports a wait to a person, in lines: messages at once, changes at
// intervals of at least five seconds, and the status again after thirty seconds
// without a line. It is not safe for concurrent use.
type Progress struct {
	clock  Clock
	status func() string
	send   func(line string)
	began  time.Time
	last   string
	at     time.Time
}

// NewProgress returns a Progress that passes its lines to send. status returns
// the current state in one line.
func NewProgress(clock Clock, status func() string, send func(line string)) *Progress {
	return &Progress{
		clock:  clock,
		status: status,
		send:   send,
		began:  clock.Now(),
		at:     clock.Now(),
	}
}

// Say sends a line, such as the first and the last.
func (p *Progress) Say(line string) {
	p.last = line
	p.at = p.clock.Now()
	p.send(line)
}

// Sleep sleeps on the clock, and meanwhile sends the status: at once if it has
// changed, and at every heartbeat. A nil Progress only sleeps.
func (p *Progress) Sleep(ctx context.Context, clock Clock, d time.Duration) error {
	if p == nil {
		return clock.Sleep(ctx, d)
	}
	for until := clock.Now().Add(d); ; {
		p.Update()
		now := clock.Now()
		due := p.at.Add(heartbeat)
		if !due.Before(until) {
			return clock.Sleep(ctx, until.Sub(now))
		}
		if err := clock.Sleep(ctx, due.Sub(now)); err != nil {
			return err
		}
	}
}

// Update sends the status if it has changed, or if a heartbeat is due. It is
// for work that does not sleep.
func (p *Progress) Update() {
	line := p.status()
	switch silence := p.clock.Now().Sub(p.at); {
	case silence >= throttle && line != p.last:
		p.Say(line)
	case silence >= heartbeat:
		p.at = p.clock.Now()
		p.send(fmt.Sprintf("%s (after %s)", p.last, Lasted(p.at.Sub(p.began))))
	}
}
