package credential_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
)

// Fault F15.
func TestMayBeToken(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "down", "not signed in", "User is not authenticated: sign in, please!", "invalid_client_credentials", "PERMISSION_DENIED", "UNAUTHENTICATED",
		"accessToken", "organizationId", "refreshTokenExpiresIn", "error 401 (42)", "Sitzung abgelaufen – bitte anmelden", "用户未登录请先登录再试一次谢谢", "a b c d e f g h i j k l m n",
	} {
		check.True(t, "is not taken for a token", !credential.MayBeToken(text), text)
	}
	for _, text := range []string{
		"eyJhbGciOiJIUzI1NiJ9", "got eyJhbGciOiJIUzI1NiJ9.", "('deadbeefdeadbeef')", "token=abcdefghijkl", "deadbeef1", "abc.def.ghijk", "c2lnbmF0dXJl", "12345678", "x\x00c2lnbmF0dXJl",
		"QWERTYUIOPASDFGHJKLZX", "AbCdEfGhIjKl", "live:abcdef:ghijkl", "550e8400-e29b-41d4-a716-446655440000", strings.Repeat("x", 30), "\u200babcdefgh1234",
	} {
		check.True(t, "is taken for a token", credential.MayBeToken(text), text)
	}
}

func redact(text string, known ...string) string {
	var secrets credential.Secrets
	secrets.Add(known...)
	return secrets.Redact(text)
}

// Fault F27.
func TestSecretsAreRedacted(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("abcdefghij", 1000)
	for _, test := range [][3]string{
		{"key secret-1 key", "secret-1", "key [redacted] key"},
		{"short abc", "abc", "short abc"},
		{"x" + long + "y" + long, long, "x[redacted]y[redacted]"},
		{"cut " + long[:500], long, "cut [redacted]"},
		{"nothing", "secret-1", "nothing"},
	} {
		check.Equal(t, test[0], redact(test[0], test[1]), test[2])
	}
	check.Equal(t, "a secret within another", redact("secret-1-longer secret-1", "secret-1", "secret-1-longer"), "[redacted] [redacted]")
}

// A request may be answered while another gets a token, which is a secret too.
func TestSecretsAreAddedAndRedactedAtOnce(t *testing.T) {
	t.Parallel()
	var secrets credential.Secrets
	check.AtOnce(func() { secrets.Add("token-" + rand.Text()) }, func() { secrets.Redact("nothing of them") })
}

func FuzzJWT(f *testing.F) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Add("")
	f.Add("a.b.c")
	for _, claims := range []map[string]any{{"exp": 1e300}, {"exp": -1, "iat": "x"}, {"exp": "NaN"}, {"iat": -1e18, "exp": 1e18}} {
		f.Add(check.JWT(f, claims))
	}
	f.Fuzz(func(t *testing.T, token string) {
		expires := credential.Expiry(token, now)
		check.True(t, "a token that was just issued is not over", expires.IsZero() || expires.After(now), token, expires)
	})
}
