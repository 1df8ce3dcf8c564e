package acctest_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A token that another provider gets at TF_LOG=TRACE is in nothing that is left behind. Fault F27.
func TestAccAccessToken_secrets(t *testing.T) {
	t.Parallel()
	m := newExample(t, "ephemeral-resources/mediagen_access_token", "")
	m.trace()
	for _, file := range []string{"first.plan", "second.plan"} {
		m.run("plan", "-out="+file)
		m.run("apply", file)
	}
	m.WantCount(t, mockserver.RouteCharacters, 2)
	m.wantNoSecrets("terraform.tfstate", "trace.log", "first.plan/tfplan", "second.plan/tfstate")
}
