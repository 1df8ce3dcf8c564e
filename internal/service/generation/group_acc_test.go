package generation_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func newAccService(t *testing.T, change ...func(*mockserver.Options)) *acctest.Service {
	t.Helper()
	service := acctest.NewService(t, change...)
	service.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", Name: "Ada"})
	return service
}

// groupConfig is a group with prompts as HCL, and its generation "a" read by
// the data source.
func groupConfig(s *acctest.Service, prompts string) string {
	return s.Config(`
resource "mediagen_generation_group" "g" {
  character_id = "ch_1"
  title        = "Portraits"
  prompts = {
%s
  }
  lifecycle {
    postcondition {
      condition     = self.failed_count + self.unconfirmed_count == 0
      error_message = "Some prompts have no results."
    }
  }
}

data "mediagen_generation" "a" {
  id = mediagen_generation_group.g.generations["a"].id
}
`, prompts)
}

const (
	promptA  = `a = { prompt = "A" }` + "\n"
	promptB  = `b = { prompt = "B", face_swap = true }` + "\n"
	promptB2 = `b = { prompt = "B2", face_swap = true }` + "\n"
	promptX  = `x = { prompt = "B2", face_swap = true }` + "\n"
	promptC  = `c = { prompt = "C" }` + "\n"
)

// buysOnly checks that exactly these keys' generations are unknown among those
// given.
func buysOnly(action plancheck.ResourceActionType, bought, kept []string) resource.ConfigPlanChecks {
	checks := []plancheck.PlanCheck{plancheck.ExpectResourceAction(groupAddress, action)}
	for _, key := range bought {
		checks = append(checks, plancheck.ExpectUnknownValue(groupAddress, tfjsonpath.New("generations").AtMapKey(key)))
	}
	for _, key := range kept {
		checks = append(
			checks,
			plancheck.ExpectKnownValue(
				groupAddress,
				tfjsonpath.New("generations").AtMapKey(key).AtMapKey("id"),
				knownvalue.NotNull(),
			),
		)
	}
	return resource.ConfigPlanChecks{PreApply: checks}
}

func TestAccGroup_basicUpdateAndRename(t *testing.T) {
	s := newAccService(t)
	sent := func(batches, deletions int) func() {
		return func() {
			s.WantCount(t, mockserver.RouteBatch, batches)
			s.WantCount(t, mockserver.RouteDelete, deletions)
		}
	}
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{
			Config:           groupConfig(s, promptA+promptB),
			ConfigPlanChecks: buysOnly(plancheck.ResourceActionCreate, []string{"a", "b"}, nil),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(groupAddress, tfjsonpath.New("complete"), knownvalue.Bool(true)),
				statecheck.ExpectKnownValue(groupAddress, tfjsonpath.New("succeeded_count"), knownvalue.Int64Exact(2)),
				statecheck.ExpectKnownValue(
					"data.mediagen_generation.a",
					tfjsonpath.New("prompt"),
					knownvalue.StringExact("A"),
				),
				statecheck.ExpectKnownValue(
					"data.mediagen_generation.a",
					tfjsonpath.New("result_urls"),
					knownvalue.ListSizeExact(1),
				),
			},
			PostApplyFunc: sent(1, 0),
		},
		{ // changes one and adds one
			Config:           groupConfig(s, promptA+promptB2+promptC),
			ConfigPlanChecks: buysOnly(plancheck.ResourceActionUpdate, []string{"b", "c"}, []string{"a"}),
			PostApplyFunc:    sent(2, 1),
		},
		{ // renames one and removes one
			Config:           groupConfig(s, promptA+promptX),
			ConfigPlanChecks: buysOnly(plancheck.ResourceActionUpdate, nil, []string{"a", "x"}),
			PostApplyFunc:    sent(2, 2),
		},
	}})
	check.True(
		t,
		"no media and groups are left after destroy",
		s.Media() == 0 && len(s.Groups()) == 0,
		s.Media(),
		len(s.Groups()),
	)
}

// An import with a full configuration buys, uploads, deletes and replaces
// nothing, and then plans clean.
func TestAccGroup_importByID(t *testing.T) {
	testImport(t, func(s *acctest.Service) string {
		return fmt.Sprintf("id = %q", fmt.Sprintf(`{"a": %q, "b": %q}`, generationOf(s, "A"), generationOf(s, "B")))
	}, tfversion.SkipBelow(tfversion.Version1_5_0))
}

func TestAccGroup_importByIdentity(t *testing.T) {
	testImport(t, func(s *acctest.Service) string {
		return fmt.Sprintf(
			"identity = { generations = [\"a=%s\", \"b=%s\"] }",
			generationOf(s, "A"),
			generationOf(s, "B"),
		)
	}, tfversion.SkipBelow(acctest.WithIdentity))
}

func testImport(t *testing.T, target func(*acctest.Service) string, version tfversion.TerraformVersionCheck) {
	t.Helper()
	s := newAccService(t)
	// Somebody made the group by hand.
	other := s.Scenario(t)
	other.Resource(groupAddress, core.Object{"character_id": "ch_1", "title": "Portraits", "prompts": core.Object{
		"a": core.Object{"prompt": "A"}, "b": core.Object{"prompt": "B", "face_swap": true},
	}})
	other.Apply().Must()
	s.ResetJournal()
	s.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{version},
		Steps: []resource.TestStep{
			{
				Config: groupConfig(
					s,
					promptA+promptB,
				) + "\nimport {\n  to = mediagen_generation_group.g\n  " + target(
					s,
				) + "\n}\n",
				ConfigPlanChecks: buysOnly(plancheck.ResourceActionUpdate, nil, []string{"a", "b"}),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(
						groupAddress,
						tfjsonpath.New("title"),
						knownvalue.StringExact("Portraits"),
					),
					statecheck.ExpectKnownValue(groupAddress, tfjsonpath.New("credits_deducted"), knownvalue.Null()),
				},
				PostApplyFunc: func() {
					for _, route := range []string{
						mockserver.RouteBatch,
						mockserver.RouteDelete,
						mockserver.RouteDeleteGroup,
					} {
						s.WantCount(t, route, 0)
					}
				},
			},
		},
	})
}

func generationOf(s *acctest.Service, prompt string) string {
	for _, group := range s.Groups() {
		for _, generation := range group.Generations {
			if generation.Prompt == prompt {
				return generation.ID
			}
		}
	}
	return ""
}

func TestAccGroup_disappears(t *testing.T) {
	tier.OneCLI(t, "what a read finds")
	s := newAccService(t)
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		acctest.Disappears(
			s.Config("resource \"mediagen_generation_group\" \"g\" { prompts = { a = { prompt = \"A\" } } }"),
			func() { s.DeleteGroupBehindTheBack(s.Groups()[0].ID) },
		),
	}})
}

func TestAccGroup_failedGenerationIsDataAndPostconditionFails(t *testing.T) {
	s := newAccService(t)
	s.FailPrompt("B2", "out of memory")
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: groupConfig(s, promptA+promptB2), ExpectError: regexp.MustCompile("Some prompts have no results")},
		{
			Config:           groupConfig(s, promptA+promptB),
			ConfigPlanChecks: buysOnly(plancheck.ResourceActionUpdate, []string{"b"}, []string{"a"}),
			PostApplyFunc:    s.Sent(t, mockserver.RouteBatch, 2),
		},
	}})
}

// Fault F6.
func TestAccGroup_stateIsKeptWhenTheWaitFails(t *testing.T) {
	s := newAccService(t)
	s.Fault(mockserver.Fault{
		Route:  mockserver.RouteStatus,
		After:  mockserver.RouteBatch,
		Nth:    2,
		Times:  5,
		Status: 500,
	})
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: groupConfig(s, promptA), ExpectNonEmptyPlan: true},
		{
			PreConfig:        s.ClearFaults,
			Config:           groupConfig(s, promptA),
			ConfigPlanChecks: buysOnly(plancheck.ResourceActionUpdate, nil, []string{"a"}),
			PostApplyFunc:    s.Sent(t, mockserver.RouteBatch, 1),
		},
	}})
}

// Both CLIs keep the state that a destroy returns with its error: what was
// deleted has left it. Fault F8.
func TestAccGroup_failedDestroyKeepsOnlyWhatStands(t *testing.T) {
	tier.Long(t, "a further story of groups")
	s := newAccService(t)
	config := s.Config(`
resource "mediagen_generation_group" "g" {
  prompts          = { a = { prompt = "A" }, b = { prompt = "B" } }
  refresh_finished = false
}
`)
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: config},
		{
			PreConfig:   func() { s.StickGeneration(generationOf(s, "A"), 3) },
			Config:      config,
			Destroy:     true,
			ExpectError: regexp.MustCompile("Unable to Delete Generation Group"),
		},
		{
			Config:           config,
			ConfigPlanChecks: buysOnly(plancheck.ResourceActionUpdate, []string{"b"}, []string{"a"}),
		},
	}})
}

// A service that goes by title puts the batch of a replacement, and that of
// another resource, into one group: a deposed object deletes only its own.
// Fault F20.
func TestAccGroup_sharedByTitle(t *testing.T) {
	tier.Long(t, "a further story of groups")
	s := acctest.NewService(t, byTitle)
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", Name: "Ada"})
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Bob"})
	group := func(name, character, prompt string) string {
		return fmt.Sprintf(`
resource "mediagen_generation_group" %q {
  character_id = %q
  title        = "Portraits"
  prompts      = { a = { prompt = %q } }
  lifecycle { create_before_destroy = true }
}
`, name, character, prompt)
	}
	stand := func(prompts ...string) func() {
		return func() {
			check.Equal(t, "prompts at the service", standing(s), prompts)
			s.WantCount(t, mockserver.RouteDeleteGroup, 0)
		}
	}
	s.Test(t, resource.TestCase{Steps: []resource.TestStep{
		{Config: s.Config("%s", group("g", "ch_1", "A"))},
		{Config: s.Config("%s", group("g", "ch_2", "B")), PostApplyFunc: stand("B")},
		{
			Config:        s.Config("%s%s", group("g", "ch_2", "B"), group("other", "ch_1", "C")),
			PostApplyFunc: stand("B", "C"),
		},
	}})
	check.Equal(t, "generations left", len(standing(s)), 0)
}
