package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The module's test needs no service: a mock's defaults have results, unknown outcomes and costs.
func TestAccExamples_testedModule(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "tested-module"))
	m.needs(tfversion.Version1_7_0, "mocked providers")
	check.Contains(t, "the test", m.run("test"), "1 passed, 0 failed")
	switch cost := blocksOf(t, "testing-modules", "hcl")[0]; {
	case m.isOpenTofu():
		m.write("cost.tftest.hcl", strings.Replace(cost, "  override_during = plan\n", "", 1))
	case m.atLeast(tfversion.Version1_11_0):
		m.write("cost.tftest.hcl", cost)
	default:
		m.WantNoRequests(t)
		return
	}
	check.Contains(t, "the test of a plan's cost", m.run("test", "-filter=cost.tftest.hcl"), "1 passed, 0 failed")
	m.replace("cost.tftest.hcl", "cost = 2 ", "cost = 3 ")
	m.refuses([]string{"It costs 103."}, "test", "-filter=cost.tftest.hcl")
	m.WantNoRequests(t)
}

// Tests with mocks send nothing; those with a service buy what they announce, once.
func TestAccModule_studio(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "modules", "studio"))
	m.needs(tfversion.Version1_8_0, "functions of providers")
	m.run("get")
	m.wantSays(m.run("test", "-filter=tests/mocks.tftest.hcl"), "2 passed, 0 failed")
	m.WantNoRequests(t)
	m.wantSays(m.run("test", "-filter=tests/service.tftest.hcl"), "3 passed, 0 failed")
	m.WantCount(t, mockserver.RouteStartTraining, 1)
	m.WantCount(t, mockserver.RouteBatch, 2)
	m.WantCount(t, mockserver.RouteDeleteGroup, 2)
}
