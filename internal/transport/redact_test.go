package transport_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

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
		check.Equal(t, test[0], transport.Redact(test[0], test[1]), test[2])
	}
	check.Equal(t, "a secret within another", transport.Redact("secret-1-longer secret-1", "secret-1", "secret-1-longer"), "[redacted] [redacted]")
}
