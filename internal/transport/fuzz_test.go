package transport_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, seed := range []string{"7", "0", "-1", "1.5", "99999999999999999999", "Tue, 01 Jan 2030 00:00:30 GMT", "Inf", "0x10", "1e9", "."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if got := transport.RetryAfter(value, now); got < 0 || got > time.Minute {
			t.Errorf("%q: %s", value, got)
		}
	})
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{"ch1", "..", "a/../b", "%2e%2e", "?", "#", "{job_id}", "\xff", " ", "a;b", "//host"} {
		f.Add(seed, "job1")
	}
	base := &url.URL{Scheme: "https", Host: "service.test", Path: "/base/v2"}
	f.Fuzz(func(t *testing.T, first, second string) {
		address, err := transport.Address(base, "/{character_id}/training/jobs/{job_id}/cancel", first, second)
		if err != nil {
			return
		}
		parsed, err := url.Parse(address.String())
		if err != nil || parsed.Host != base.Host || parsed.RawQuery != "" || parsed.Fragment != "" {
			t.Fatalf("%q, %q: %s, %v", first, second, address, err)
		}
		segments := strings.Split(parsed.EscapedPath(), "/")
		if len(segments) != 8 {
			t.Fatalf("%q, %q: %q", first, second, segments)
		}
		for place, id := range map[int]string{3: first, 6: second} {
			if back, err := url.PathUnescape(segments[place]); err != nil || back != id {
				t.Errorf("%q became %q, %v", id, back, err)
			}
		}
	})
}
