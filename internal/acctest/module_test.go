package acctest_test

import (
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A module is tested against a mocked provider, with results and unknown
// outcomes from the defaults of a mock, and nothing is sent to the service.
func TestAccExamples_testedModule(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "tested-module"))
	m.needs(tfversion.Version1_7_0, "mocked providers")
	check.Contains(t, "the test", m.run("test"), "1 passed, 0 failed")
	m.WantNoRequests(t)
}

// The module's tests with mocks send nothing; those with a service buy what
// they announce, once, and leave no media.
func TestAccModule_studio(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "modules", "studio"))
	m.needs(tfversion.Version1_8_0, "functions of providers")
	m.run("get")
	m.wantSays(m.run("test", "-filter=tests/mocks.tftest.hcl"), "2 passed, 0 failed")
	m.WantNoRequests(t)
	m.wantSays(m.run("test", "-filter=tests/service.tftest.hcl"), "2 passed, 0 failed")
	m.WantCount(t, mockserver.RouteStartTraining, 1)
	m.WantCount(t, mockserver.RouteBatch, 2)
	m.WantCount(t, mockserver.RouteDeleteGroup, 2)
}
