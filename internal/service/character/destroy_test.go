package character_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// "Face Image Stays at the Service" stood beside the deletion of its character. No order
// of a plan is promised: what is said holds in any, and the character names what the run
// has seen of it.
func TestDestroyIsTrueInAnyOrder(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]core.PlanOption{"one": nil, "the other": {core.Reversed()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
			const image, group = "mediagen_face_image.front", "mediagen_generation_group.kept"
			s.Resource(ada, core.Object{"id": id, "deletion_policy": "delete"})
			s.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
			s.Resource(group, core.Object{
				"character_id": id, "deletion_policy": "keep", "prompts": core.Object{"a": core.Object{"prompt": "A"}},
			})
			s.Apply().Must()
			asset, kept := s.Value(image, "id").(string), s.Value(group, "id").(string)
			for _, address := range s.Addresses() {
				s.Remove(address)
			}
			plan := s.Plan(options...).Must()
			s.WantWarning(plan.Diagnostics, "Face Image Will Be Forgotten: face image "+asset, "unless a deletion of the character takes it along")
			s.WantWarning(plan.Diagnostics, "Media Will Be Forgotten: group "+kept, "A deletion of their character may take them along.")
			s.WantWarning(plan.Diagnostics, "Character Will Be Deleted: character "+id)
			check.True(t, "one statement an object", len(plan.Diagnostics) == 3, plan.Diagnostics)
			said := s.ApplyPlan(plan).Must().Diagnostics
			s.WantWarning(said, "Face Image Was Forgotten: face image "+asset, "unless a deletion of the character takes it along")
			s.WantWarning(said, "Media Were Forgotten: group "+kept, "A deletion of their character may take them along.")
			check.True(t, "nothing else is said", len(said) == 2, said)
			s.WantCount(t, mockserver.RouteDeleteCharacter, 1)
		})
	}
}

// What the run has read or planned of a character before is named in its warning.
func TestDeletionNamesWhatIsKnown(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	const image = "mediagen_face_image.front"
	s.Resource(image, core.Object{"character_id": id, "source": write(t, "front.png", png)})
	s.Resource(ada, core.Object{"id": id, "deletion_policy": "delete"})
	s.Apply().Must()
	asset, named := s.Value(image, "id").(string), 0
	s.Remove(ada)
	s.Remove(image)
	for _, options := range [][]core.PlanOption{nil, {core.Reversed()}} {
		said := s.Plan(options...).Must().Diagnostics.Find(deletes)
		if strings.Contains(said.String(), `face image "`+asset+`"`) {
			named++
		}
	}
	check.True(t, "the image is named where it was planned first", named == 1, named)
}
