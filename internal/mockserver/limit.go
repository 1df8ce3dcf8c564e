package mockserver

import (
	"net/http"
	"slices"
	"time"
)

// limit refuses requests beyond [Options].RequestsPerMinute. The exchange and
// the token provider are other services, and have no limit.
func (s *Server) limit(c *call) error {
	if s.opts.RequestsPerMinute == 0 || c.route.public {
		return nil
	}
	recent := slices.DeleteFunc(s.world.recent, func(at time.Time) bool { return c.now.Sub(at) >= time.Minute })
	refused := len(recent) >= s.opts.RequestsPerMinute
	if !refused || s.opts.CountRefused {
		recent = append(recent, c.now)
	}
	if s.world.recent = recent; refused {
		return &problem{status: http.StatusTooManyRequests, code: "rate_limited", message: "too many requests"}
	}
	return nil
}
