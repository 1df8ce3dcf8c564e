package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// fifty is a scenario whose plan reads fifty trainings at once.
func fifty(t *testing.T) scenario {
	t.Helper()
	b := newScenario(t)
	for i := range 50 {
		id := b.AddCharacter(mockserver.CharacterSeed{FaceImages: 10})
		b.Resource(fmt.Sprintf("mediagen_character.c%d", i), core.Object{"id": id})
		b.Resource(fmt.Sprintf("mediagen_body_lora_training.t%d", i), core.Object{"character_id": id})
	}
	b.Parallel(50)
	return b
}

// Fault F10.
func TestProvider_oneTokenForFiftyResources(t *testing.T) {
	t.Parallel()
	b := fifty(t)
	plan := b.Plan().Must()
	b.WantCount(t, mockserver.RouteToken, 1)
	b.WantCount(t, mockserver.RouteTraining, 50)

	b.ResetJournal()
	b.ApplyPlan(plan).Must()
	b.WantCount(t, mockserver.RouteToken, 1)
	b.WantCount(t, mockserver.RouteStartTraining, 50)
	b.WantCount(t, mockserver.RouteCharacters, 1)
}

// Fault F1.
func TestProvider_oneRenewalForFiftyResources(t *testing.T) {
	t.Parallel()
	b := fifty(t)
	b.Before(mockserver.RouteTraining, b.RevokeTokens)
	b.Plan().Must()
	b.WantCount(t, mockserver.RouteToken, 2)

	b.ResetJournal()
	b.Before(mockserver.RouteStartTraining, b.RevokeTokens)
	b.Apply().Must()
	b.WantCount(t, mockserver.RouteToken, 3) // the plan's, the apply's, and its renewal
	check.Equal(t, "trainings paid for", len(b.Ledger().Entries), 50)
}

// A token that cannot be renewed is not asked for twice.
func TestProvider_accessTokenIsNotRenewed(t *testing.T) {
	t.Parallel()
	b := fifty(t)
	b.Workspace.Provider(core.Object{"access_token": b.IssueToken("")})
	b.Before(mockserver.RouteTraining, b.RevokeTokens)
	plan := b.Plan()
	warnings := plan.Warnings().Find("Unable to Check Body LoRA Training")
	check.Equal(
		t,
		"warnings that name the token",
		strings.Count(warnings.String(), "did not accept the provider's access_token"),
		1,
	)
	b.WantCount(t, mockserver.RouteTraining, 50)
	b.WantCount(t, mockserver.RouteToken, 0)
}

func TestProvider_userAgent(t *testing.T) {
	t.Parallel()
	for _, extra := range []string{"", "ci-pipeline/7"} {
		b := newScenario(t)
		b.setenv(map[string]string{"TF_APPEND_USER_AGENT": extra})
		b.works()
		want := strings.TrimSpace("terraform-provider-mediagen/test terraform/1.16.4 " + extra)
		for _, request := range b.Journal() {
			check.Equal(t, request.Route+": User-Agent", request.Header.Get("User-Agent"), want)
		}
	}
}
