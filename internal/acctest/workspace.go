package acctest

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// Workspace is an empty Terraform workspace whose provider block names this
// service and its key.
func (s *Service) Workspace(t testing.TB) *core.Workspace {
	t.Helper()
	return core.New(t, s.Provider, core.Object{"base_url": s.URL, "api_key": APIKey})
}
