package character_test

import (
	"fmt"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A deployment that cannot show a character alone is read as without; of two that
// were asked for it is said, once.
// Fault F13b.
func TestCharactersAreNotShownAlone(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	for i := range 150 {
		s.AddCharacter(mockserver.CharacterSeed{ID: fmt.Sprintf("ch_%d", i), Name: fmt.Sprint(i)})
	}
	for i := 146; i < 150; i++ {
		s.Resource(fmt.Sprintf("mediagen_character.c%d", i), core.Object{"id": fmt.Sprintf("ch_%d", i)})
	}
	s.Apply().Must()
	s.Workspace.Provider(core.Object{"base_url": s.URL, "api_key": acctest.APIKey, "extended_reads": true})
	fault := mockserver.MissingRoute()[405]
	fault.Route, fault.Times = mockserver.RouteCharacter, 1000
	s.Fault(fault)
	s.ResetJournal()
	plan := s.Plan().Must()
	plan.WantEmpty()
	// Read one after the other, the first asks and then has the whole list.
	asked := s.Count(mockserver.RouteCharacter)
	if told := plan.Diagnostics.Warnings().Find("Extended Read Failed"); asked < 1 || asked > 2 || len(told) != 1 {
		t.Errorf("the route was asked for %d times, and it says:\n%s", asked, plan.Diagnostics)
	}
	s.WantCount(t, mockserver.RouteCharacters, 2)
}
