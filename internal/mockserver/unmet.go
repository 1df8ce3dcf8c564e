package mockserver

import (
	"cmp"
	"fmt"
	"slices"
)

// Unmet describes each fault and each hook of Before that no request has met
// since it was added. A test with an unmet fault has not tested what it claims.
func (s *Server) Unmet() []string {
	s.rules.mu.Lock()
	defer s.rules.mu.Unlock()
	return s.rules.unmet()
}

func (rs *rules) unmet() []string {
	reports := slices.Clone(rs.cleared)
	for _, r := range rs.faults {
		if !r.met && !r.MayStayUnmet {
			reports = append(reports, r.unmet())
		}
	}
	for _, h := range rs.hooks {
		reports = append(reports, "no request has met the hook before "+h.route)
	}
	return reports
}

func (r *rule) unmet() string {
	report := fmt.Sprintf("no request has met the fault of %s", cmp.Or(r.Route, "all endpoints"))
	if r.About != "" {
		report += fmt.Sprintf(" about %q", r.About)
	}
	if r.After != "" {
		report += " after " + r.After
	}
	return fmt.Sprintf("%s, from request %d on: there were %d", report, max(r.Nth, 1), r.seen)
}

// answered arms the faults that follow an answer of this endpoint. It is called
// before the answer is sent, so that the client's next request is counted.
func (rs *rules) answered(route string) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.faults {
		r.follows = r.follows || r.After == route
	}
}
