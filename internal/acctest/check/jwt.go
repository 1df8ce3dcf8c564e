package check

import (
	"encoding/base64"
	"encoding/json"
	"testing"
)

// JWT returns a token with the given claims, and a signature that proves
// nothing.
func JWT(t testing.TB, claims map[string]any) string {
	t.Helper()
	part := func(value any) string {
		text, err := json.Marshal(value)
		Must(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	return part(map[string]any{"alg": "HS256", "typ": "JWT"}) + "." + part(claims) + ".c2lnbmF0dXJl"
}
