package transport_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newClock() *waittest.Clock {
	return waittest.NewClock(time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC))
}

func jwt(t testing.TB, claims map[string]any) string {
	t.Helper()
	part := func(value any) string {
		text, err := json.Marshal(value)
		check.Must(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	return part(map[string]any{"alg": "HS256", "typ": "JWT"}) + "." + part(claims) + ".c2lnbmF0dXJl"
}
