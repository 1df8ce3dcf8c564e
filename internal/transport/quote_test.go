package transport_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Fault F15.
func TestMayBeToken(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "down", "not signed in", "User is not authenticated: sign in, please!", "invalid_client_credentials", "PERMISSION_DENIED", "UNAUTHENTICATED",
		"accessToken", "organizationId", "refreshTokenExpiresIn", "error 401 (42)", "Sitzung abgelaufen – bitte anmelden", "用户未登录请先登录再试一次谢谢", "a b c d e f g h i j k l m n",
	} {
		check.True(t, "is not taken for a token", !transport.MayBeToken(text), text)
	}
	for _, text := range []string{
		"eyJhbGciOiJIUzI1NiJ9", "got eyJhbGciOiJIUzI1NiJ9.", "('deadbeefdeadbeef')", "token=abcdefghijkl", "deadbeef1", "abc.def.ghijk", "c2lnbmF0dXJl", "12345678", "x\x00c2lnbmF0dXJl",
		"QWERTYUIOPASDFGHJKLZX", "AbCdEfGhIjKl", "live:abcdef:ghijkl", "550e8400-e29b-41d4-a716-446655440000", strings.Repeat("x", 30), "\u200babcdefgh1234",
	} {
		check.True(t, "is taken for a token", transport.MayBeToken(text), text)
	}
}
