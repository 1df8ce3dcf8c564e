package mockserver

import (
	"math"
	"net/http"
	"slices"
	"time"
)

// limit refuses requests beyond [Options].RequestsPerMinute. The exchange and
// the token provider are separate services without a limit.
func (s *Server) limit(c *call) error {
	if s.opts.RequestsPerMinute == 0 || c.route.public {
		return nil
	}
	recent := slices.DeleteFunc(s.world.recent, func(at time.Time) bool { return c.now.Sub(at) >= time.Minute })
	refused := len(recent) >= s.opts.RequestsPerMinute
	if !refused || s.opts.CountRefused {
		recent = append(recent, c.now)
	}
	s.world.recent = recent
	if !refused {
		return nil
	}
	refusal := &problem{
		status:  http.StatusTooManyRequests,
		code:    "rate_limited",
		message: "too many requests",
	}
	if s.opts.AnnounceRetry {
		room := recent[len(recent)-s.opts.RequestsPerMinute].Add(time.Minute)
		refusal.retryAfter = int(math.Ceil(room.Sub(c.now).Seconds()))
	}
	return refusal
}
