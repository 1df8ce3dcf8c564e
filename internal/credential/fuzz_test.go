package credential_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
)

func FuzzJWT(f *testing.F) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, seed := range []string{"", "a.b.c", jwt(f, map[string]any{"exp": 1e300}), jwt(f, map[string]any{"exp": -1, "iat": "x"}), jwt(f, map[string]any{"exp": "NaN"}), jwt(f, map[string]any{"iat": -1e18, "exp": 1e18})} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		if expires := credential.Expiry(token, now); !expires.IsZero() && !expires.After(now) {
			t.Errorf("%q: a token that was just issued is over at %s", token, expires)
		}
	})
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
