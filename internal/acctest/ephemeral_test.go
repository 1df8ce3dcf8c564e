package acctest_test

import (
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// TestAccAccessToken_secrets hands a token to another provider at
// TF_LOG=TRACE and looks for it in everything that is left behind.
func TestAccAccessToken_secrets(t *testing.T) {
	t.Parallel()
	m := newExample(t, "ephemeral-resources/mediagen_access_token", "")
	m.setenv("TF_LOG", "TRACE")
	m.setenv("TF_LOG_PATH", filepath.Join(m.directory, "trace.log"))
	for _, file := range []string{"first.plan", "second.plan"} {
		m.plan(file)
		m.run("apply", file)
	}
	m.WantCount(t, mockserver.RouteCharacters, 2)
	m.wantNoSecrets()
}
