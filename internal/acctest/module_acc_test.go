package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The module's test needs no service: a mock's defaults have results, unknown
// outcomes and costs.
func TestAccExamples_testedModule(t *testing.T) {
	tier.Long(t, "an example beside those of resources")
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

func TestAccModule_studio(t *testing.T) {
	tier.Long(t, "a module of the examples")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "modules", "studio"))
	m.needs(tfversion.Version1_8_0, "functions of providers")
	m.run("get")
	m.wantSays(m.run("test", "-filter=tests/mocks.tftest.hcl"), "2 passed, 0 failed")
	m.WantNoRequests(t)
	m.wantSays(m.run("test", "-filter=tests/service.tftest.hcl"), "3 passed, 0 failed")
	m.wantRequests(
		map[string]int{mockserver.RouteStartTraining: 1, mockserver.RouteBatch: 2, mockserver.RouteDeleteGroup: 2},
	)
}

const testedConfiguration = versions + `
variable "prompts" { type = list(string) }

resource "mediagen_character" "ada" { id = "char_ada" }

resource "mediagen_body_lora_training" "ada" {
  character_id        = mediagen_character.ada.id
  wait_for_completion = false
}

resource "mediagen_generation_group" "ada" {
  prompts             = { for key in var.prompts : key => { prompt = "Ada ${key}" } }
  wait_for_completion = false
}
`

const testFile = `
provider "mediagen" { max_purchases = 6 } # a training and two prompts, twice

run "one" {
  variables { prompts = ["a", "b"] }
}

run "two" {
  variables { prompts = ["a", "b", "c"] }
}

run "three" {
  command = plan
  variables { prompts = ["a", "b", "c"] }
  assert {
    condition     = mediagen_character.ada.name == "Ada the Second"
    error_message = "The name is still ${mediagen_character.ada.name}."
  }
}
`

// Terraform 1.16 configures a provider once a test file, and each of its runs
// is one all the same: it has its own limit, and reads what the service has
// now. Others configure it once a run.
func TestAccTestFile_eachRunBeginsAnew(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	ada := service.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada", FaceImages: 10})
	m := newTerminal(t, service, t.TempDir())
	m.needs(tfversion.Version1_7_0, "runs of tests")
	m.write("main.tf", testedConfiguration)
	m.write("main.tftest.hcl", testFile)
	service.Before(mockserver.RouteBatch, func() { // of run one
		service.Before(mockserver.RouteBatch, func() { // of run two
			service.SetCharacter(ada, func(c *mockserver.CharacterSeed) { c.Name = "Ada the Second" })
		})
	})
	m.wantSays(m.run("test"), "3 passed, 0 failed")
	m.wantRequests(
		map[string]int{mockserver.RouteStartTraining: 1, mockserver.RouteBatch: 2, mockserver.RouteDeleteGroup: 1},
	)
	check.Equal(t, "the training that the tests leave behind", service.Trainings(ada)[0].Status, "cancelled")
}
