package mockserver_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestRequestsPerMinute(t *testing.T) {
	t.Parallel()
	for counted, afterAMinute := range map[bool]int{false: 200, true: 429} {
		c := start(t, mockserver.Options{RequestsPerMinute: 2, CountRefused: counted})
		get := func(status int) {
			t.Helper()
			check.Equal(t, "Retry-After", c.do("GET", "/v2/characters", "", status).header.Get("Retry-After"), "")
		}
		get(200)
		c.clock.advance(30 * time.Second)
		get(200)
		get(429)
		get(429)
		c.clock.advance(30 * time.Second) // the first one is a minute ago
		get(afterAMinute)
		c.clock.advance(time.Minute)
		get(200)
	}
}

func TestRequestsPerMinute_announced(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{RequestsPerMinute: 2, AnnounceRetry: true})
	c.do("GET", "/v2/characters", "", 200)
	c.clock.advance(18500 * time.Millisecond)
	c.do("GET", "/v2/characters", "", 200)
	check.Equal(t, "Retry-After", c.do("GET", "/v2/characters", "", 429).header.Get("Retry-After"), "42")
}

// A fault that replaces the reply after the work does not call a refusal a success.
func TestRequestsPerMinute_isNotBelied(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{RequestsPerMinute: 1})
	c.do("GET", "/v2/characters", "", 200)
	c.Fault(mockserver.Fault{Status: 204, AfterWork: true})
	c.do("GET", "/v2/characters", "", 429)
}
