package transport

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// patience is how long a storm lasts until what changes nothing gives up.
const patience = 5 * time.Minute

var errStorm = errors.New("no request has had another answer for five minutes, so it was given up")

// storm is that the service answers all requests of the process with a 429.
type storm struct {
	mutex sync.Mutex
	// since is zero if there is none. refusals are its answers, and last is the latest.
	since    time.Time
	refusals int
	last     *reply.Error
	// told is when a person was told last, of this one or one before.
	told time.Time
}

// answered ends the storm.
func (s *storm) answered() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.since, s.refusals, s.last = time.Time{}, 0, nil
}

// refused counts a 429, and returns what to tell a person: at the first, and once a
// minute; else nothing.
func (s *storm) refused(now time.Time, last *reply.Error) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.last = last; s.since.IsZero() {
		s.since = now
	}
	s.refusals++
	if !s.told.IsZero() && now.Sub(s.told) < time.Minute {
		return ""
	}
	s.told = now
	if s.refusals == 1 {
		return "The service limits requests (429): all wait until it accepts them again. With max_requests_per_minute it need not refuse any"
	}
	return fmt.Sprintf("The service still limits requests: for %s it has answered nothing but 429, %d times", now.Sub(s.since).Round(time.Second), s.refusals)
}

// outlasts reports whether the storm has lasted too long for a request.
func (s *storm) outlasts(ctx context.Context, now time.Time) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return !s.since.IsZero() && now.Sub(s.since) >= patience && !isChange(ctx)
}

// during is the error of what ends unanswered in a storm: that of the last answer to
// anybody. It is nil if there is no storm, or another reason.
func (s *storm) during(err error) *reply.Error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.last == nil || reply.ErrorOf(err) != nil || !wait.IsCanceled(err) && !errors.Is(err, errStorm) {
		return nil
	}
	return &reply.Error{Operation: s.last.Operation, Status: s.last.Status, Code: s.last.Code, Message: s.last.Message, Shared: s.last.Shared, Err: err}
}

type changeKey struct{}

// WithChange marks what is done with the returned context as part of a change of the
// service, which may have been paid for in part: only its time ends it in a storm.
func WithChange(ctx context.Context) context.Context {
	return context.WithValue(ctx, changeKey{}, true)
}

func isChange(ctx context.Context) bool { return ctx.Value(changeKey{}) != nil || wait.IsPolling(ctx) }
