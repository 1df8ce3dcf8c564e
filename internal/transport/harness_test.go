package transport_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock only moves when somebody sleeps, and then at once.
type clock struct {
	mutex sync.Mutex
	now   time.Time
	slept time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now, c.slept = c.now.Add(d), c.slept+d
	return nil
}

func (c *clock) Slept() time.Duration {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.slept
}

func jwt(t testing.TB, claims map[string]any) string {
	t.Helper()
	part := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(text)
	}
	return part(map[string]any{"alg": "HS256", "typ": "JWT"}) + "." + part(claims) + ".c2lnbmF0dXJl"
}
