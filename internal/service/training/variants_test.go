package training_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestWithoutProviderDataThePlanSendsNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Workspace.Provider(core.Object{"base_url": core.UnknownUntilApply(s.URL), "api_key": "k"})
	s.configure(nil)
	s.Plan().Must()
	s.WantNoRequests(t)
}

func TestOddIdsAreEscaped(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a/b", "a?b", "a#b", "a%2fb", "ä ö", "כבד"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.character = s.AddCharacter(mockserver.CharacterSeed{ID: id, FaceImages: 1})
			s.applies(nil)
			s.Want(address, core.Object{"succeeded": true})
			s.Plan().WantEmpty()
		})
	}
}
