package training_test

import (
	"strings"
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

// Fault F26.
func TestInvalidInputsSendNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config core.Object
		at     string
	}{
		"empty character":     {core.Object{"character_id": ""}, "character_id"},
		"blank character":     {core.Object{"character_id": "  "}, "character_id"},
		"trailing blank":      {core.Object{"character_id": "char_1 "}, "character_id"},
		"dot segment":         {core.Object{"character_id": ".."}, "character_id"},
		"control character":   {core.Object{"character_id": "a\nb"}, "character_id"},
		"NUL":                 {core.Object{"character_id": "a\x00b"}, "character_id"},
		"no character":        {core.Object{}, "character_id"},
		"time-out no number":  {core.Object{"character_id": "c", "timeouts": core.Object{"create": "soon"}}, "timeouts.create"},
		"time-out of nothing": {core.Object{"character_id": "c", "timeouts": core.Object{"update": "0s"}}, "timeouts.update"},
		"negative time-out":   {core.Object{"character_id": "c", "timeouts": core.Object{"delete": "-1m"}}, "timeouts.delete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.Resource(address, test.config)
			plan := s.Plan()
			if len(plan.Diagnostics.Errors()) == 0 || !strings.HasPrefix(plan.Diagnostics.Errors()[0].Path, test.at) {
				t.Errorf("want an error at %s, got:\n%s", test.at, plan.Diagnostics)
			}
			s.WantNoRequests(t)
		})
	}
}

func TestOddIdsAreEscaped(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a/b", "a?b", "a#b", "a%2fb", "ä ö", "כבד"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.character = s.AddCharacter(mockserver.CharacterSeed{ID: id, FaceImages: 1})
			s.configure(nil)
			s.Apply().Must()
			s.Want(address, core.Object{"succeeded": true})
			s.Plan().WantEmpty()
		})
	}
}
