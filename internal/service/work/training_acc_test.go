package work_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func newTrainable(t *testing.T) (*acctest.Service, string) {
	t.Helper()
	service := acctest.NewService(t)
	return service, service.AddCharacter(mockserver.CharacterSeed{FaceImages: 10})
}

const trainingConfig = `
resource "mediagen_body_lora_training" "t" {
  character_id = %q
  triggers     = { round = %q }

  lifecycle {
    postcondition {
      condition     = self.succeeded == true
      error_message = "The training has not succeeded."
    }
  }
}

data "mediagen_training_status" "t" {
  character_id = mediagen_body_lora_training.t.character_id
  depends_on   = [mediagen_body_lora_training.t]
}
`

func isTrue(attribute string) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), knownvalue.Bool(true))
}

func bought(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
		plancheck.ExpectResourceAction(address, action), plancheck.ExpectUnknownValue(address, tfjsonpath.New("id")),
	}}
}

func TestAccBodyLoRATraining_basicReplaceAndImport(t *testing.T) {
	s, character := newTrainable(t)
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: s.Config(trainingConfig, character, "1"), ConfigPlanChecks: bought(plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				isTrue("succeeded"),
				isTrue("wait_for_completion"),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("credits_deducted"), knownvalue.Float64Exact(100)),
				statecheck.ExpectKnownValue(
					"data.mediagen_training_status.t",
					tfjsonpath.New("training_complete"),
					knownvalue.Bool(true),
				),
			},
			PostApplyFunc: s.Sent(t, mockserver.RouteStartTraining, 1),
		},
		{
			Config: s.Config(trainingConfig, character, "2"), ConfigPlanChecks: bought(plancheck.ResourceActionReplace),
			PostApplyFunc: s.Sent(t, mockserver.RouteStartTraining, 2),
		},
		{
			ResourceName:      address,
			ImportState:       true,
			ImportStateVerify: true,
			ImportStateIdFunc: func(*terraform.State) (string, error) {
				return character + "/" + s.Trainings(character)[1].JobID, nil
			},
			// Only the reply to the start tells these, and triggers are the
			// user's.
			ImportStateVerifyIgnore: []string{
				"triggers",
				"training_steps",
				"credits_deducted",
				"remaining_balance",
				"message",
				"purchases",
				"cost",
			},
		},
	}})
	s.WantCount(t, mockserver.RouteStartTraining, 2)
	s.WantCount(t, mockserver.RouteCancel, 0)
}

func TestAccBodyLoRATraining_updateResumesTheWait(t *testing.T) {
	tier.Long(t, "a further story of trainings")
	tier.OneCLI(t, "what an update sends")
	s, character := newTrainable(t)
	config := func(wait bool) string {
		return s.Config(
			"resource \"mediagen_body_lora_training\" \"t\" {\n  character_id = %q\n  wait_for_completion = %t\n}\n",
			character,
			wait,
		)
	}
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: config(false),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("succeeded"), knownvalue.Null()),
			},
		},
		{
			Config: config(true), ConfigStateChecks: []statecheck.StateCheck{isTrue("succeeded")},
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
			}},
			PostApplyFunc: s.Sent(t, mockserver.RouteStartTraining, 1),
		},
	}})
}

func TestAccBodyLoRATraining_importByIdentity(t *testing.T) {
	s, character := newTrainable(t)
	s.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{tfversion.SkipBelow(acctest.WithIdentity)},
		Steps: []resource.TestStep{
			{
				Config: s.Config(trainingConfig, character, "1"),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectIdentityValue(
						address,
						tfjsonpath.New("character_id"),
						knownvalue.StringExact(character),
					),
					statecheck.ExpectIdentityValueMatchesState(address, tfjsonpath.New("id")),
				},
			},
			{
				ResourceName:       address,
				ImportState:        true,
				ImportStateKind:    resource.ImportBlockWithResourceIdentity,
				ExpectNonEmptyPlan: true,
			},
		},
	})
	s.WantCount(t, mockserver.RouteStartTraining, 1)
}

func TestAccBodyLoRATraining_disappears(t *testing.T) {
	tier.OneCLI(t, "what a read finds")
	s, character := newTrainable(t)
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: s.Config(trainingConfig, character, "1")},
		// The training has left the state, and there is no character to train
		// again.
		{
			PreConfig:   func() { s.RemoveCharacter(character) },
			Config:      s.Config(trainingConfig, character, "1"),
			ExpectError: regexp.MustCompile("Character Not Found"),
		},
	}})
	s.WantCount(t, mockserver.RouteStartTraining, 1)
}

func TestAccBodyLoRATraining_waitFails(t *testing.T) {
	s, character := newTrainable(t)
	s.Fault(mockserver.Fault{
		Route:  mockserver.RouteTraining,
		After:  mockserver.RouteStartTraining,
		Nth:    2,
		Times:  5,
		Status: 503,
		Body:   "down",
	})
	config := s.Config("resource \"mediagen_body_lora_training\" \"t\" {\n  character_id = %q\n}\n", character)
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config: config, ExpectNonEmptyPlan: true,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact("job_000001")),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("succeeded"), knownvalue.Null()),
			},
		},
		{
			PreConfig: s.ClearFaults, Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				plancheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringExact("job_000001")),
			}},
			ConfigStateChecks: []statecheck.StateCheck{isTrue("succeeded")},
			PostApplyFunc:     s.Sent(t, mockserver.RouteStartTraining, 1),
		},
	}})
}

func TestAccBodyLoRATraining_failedTrainingFailsThePostcondition(t *testing.T) {
	tier.Long(t, "a further story of trainings")
	s, character := newTrainable(t)
	s.FailNextTraining()
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config:      s.Config(trainingConfig, character, "1"),
			ExpectError: regexp.MustCompile("The training has not succeeded"),
		},
		{Config: s.Config(trainingConfig, character, "2"), PostApplyFunc: s.Sent(t, mockserver.RouteStartTraining, 2)},
	}})
}

func TestAccBodyLoRATraining_invalid(t *testing.T) {
	tier.OneCLI(t, "what validation refuses")
	s := acctest.NewService(t)
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config:      s.Config("resource \"mediagen_body_lora_training\" \"t\" {\n  character_id = \"..\"\n}\n"),
			ExpectError: regexp.MustCompile("relative path"), PlanOnly: true,
		},
	}})
	s.WantNoRequests(t)
}
