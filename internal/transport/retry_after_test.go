package transport_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Fault F3.
func TestRetryAfterIsReadInAllItsForms(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                                0,
		"7":                               7 * time.Second,
		" 7 ":                             7 * time.Second,
		"1.5":                             0,
		"0":                               0,
		"-5":                              0,
		"61":                              time.Minute,
		"99999999999999999999999":         time.Minute,
		strings.Repeat("9", 400):          time.Minute,
		"soon":                            0,
		"NaN":                             0,
		"Inf":                             0,
		".":                               0,
		"Tue, 01 Jan 2030 00:00:30 GMT":   30 * time.Second,
		"Tue, 01 Jan 2030 05:00:00 GMT":   time.Minute,
		"Mon, 31 Dec 2029 23:59:30 GMT":   0,
		"Tuesday, 01-Jan-30 00:00:30 GMT": 30 * time.Second,
	} {
		check.Equal(t, value, transport.RetryAfter(value, now), want)
	}
}

func TestBackoffGrowsToItsCap(t *testing.T) {
	t.Parallel()
	for repetition, seconds := range []float64{1, 2, 4, 8, 16, 30, 30} {
		got := transport.Backoff(repetition)
		check.True(t, "pause", got.Seconds() <= seconds && got.Seconds() >= seconds/2, repetition, got)
	}
	if got := transport.Backoff(1 << 40); got > 30*time.Second || got <= 0 {
		t.Errorf("after many: %s", got)
	}
}
