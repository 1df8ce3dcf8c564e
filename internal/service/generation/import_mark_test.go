package generation_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// wantIntact checks that no request has bought or deleted anything.
func (s scenario) wantIntact(ids map[string]string) {
	s.T.Helper()
	for _, route := range []string{mockserver.RouteBatch, mockserver.RouteDelete, mockserver.RouteDeleteGroup} {
		s.WantCount(s.T, route, 0)
	}
	if entries := s.Ledger().Entries; len(entries) != 1 {
		s.T.Errorf("the ledger has %d entries, want that of the group made by hand", len(entries))
	}
	for _, id := range ids {
		if _, there := s.Generation(id); !there {
			s.T.Errorf("the generation %s is gone", id)
		}
	}
}

// An apply without an update of the group does not end its import, however long
// ago it was: what the import could not read is taken over, and a text that it
// has read is compared.
// Fault F21.
func TestImport_holdsWhileThereIsNothingToUpdate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prompt core.Object
		buys   bool
	}{
		"options":        {core.Object{"prompt": "A", "face_swap": true, "use_face_lora": false}, false},
		"another prompt": {core.Object{"prompt": "A, smiling"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, ids := madeByHand(t)
			s.Resource(groupAddress, core.Object{"prompts": texts(map[string]string{"a": "A", "b": "B"})})
			s.Import(groupAddress, importID(ids)).Must()
			for range 3 {
				plan := s.Plan().Must()
				plan.WantEmpty()
				s.ApplyPlan(plan).Must()
			}
			s.Resource(groupAddress, core.Object{"prompts": core.Object{"a": test.prompt, "b": core.Object{"prompt": "B"}}})
			if test.buys {
				said := s.buys([]string{`generations["a"]`}, 1).Plan.Diagnostics
				s.WantWarning(said, "Imported Prompts Differ", `The prompts "a" of`)
				s.wantSilent(said, mediaDeleted)
			} else {
				s.WantWarning(s.Plan().Diagnostics, "Imported Group Is Taken Over", `face_swap of the keys "a"`, `use_face_lora of the keys "a"`)
				s.Apply().Must()
				s.wantIntact(ids)
			}
			s.Plan().Must().WantEmpty()

			// From its update on, a change of an option is a change.
			s.Resource(groupAddress, core.Object{"prompts": core.Object{"a": test.prompt, "b": core.Object{"prompt": "B", "face_swap": true}}})
			if bought := s.Plan().Must().UnknownIDs(groupAddress); len(bought) != 1 {
				t.Errorf("want a purchase of b, got %q", bought)
			}
		})
	}
}

// An update that fails keeps the mark, but what it has stored is compared like
// anything else in the state.
// Fault F21.
func TestImport_comparesWhatAFailedUpdateHasStored(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Grace"})
	s.Resource(groupAddress, core.Object{"character_id": "ch_1", "title": "Portraits", "prompts": core.Object{
		"a": core.Object{"prompt": "A", "face_swap": true},
	}})
	s.Import(groupAddress, importID(ids)).Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteDelete, Status: 409, Body: `{"error":"busy"}`})
	if result := s.Apply(); !result.Diagnostics.HasErrors() {
		t.Fatalf("want an error, since b cannot be deleted:\n%s", result.Diagnostics)
	}
	s.ClearFaults()
	s.Want(groupAddress, core.Object{"character_id": "ch_1", `prompts["a"].face_swap`: true})

	s.Resource(groupAddress, core.Object{"character_id": "ch_2", "prompts": core.Object{"a": core.Object{"prompt": "A", "face_swap": true}}})
	if plan := s.Plan().Must(); plan.Action(groupAddress) != core.Replace {
		t.Errorf("want a replacement by a group of another character, got:\n%s", plan)
	}
	s.Resource(groupAddress, core.Object{"character_id": "ch_1", "title": "Paintings", "prompts": core.Object{
		"a": core.Object{"prompt": "A", "face_swap": false, "use_face_lora": false},
	}})
	plan := s.Plan().Must()
	if bought := plan.UnknownIDs(groupAddress); len(bought) != 1 {
		t.Errorf("want a purchase of a, got %q", bought)
	}
	s.wantSilent(plan.Diagnostics, "Imported Group Is Taken Over")
	s.WantWarning(plan.Diagnostics, "Title Is Sent With the Next Batch")
}

// A text that is only known during the apply may be another than the import has
// read: the plan announces the purchase, and the apply makes it only then.
// Fault F21.
func TestImport_announcesAPromptThatIsNotKnownYet(t *testing.T) {
	t.Parallel()
	for text, bought := range map[string]int{" a ": 0, "A, smiling": 1} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			s, ids := madeByHand(t)
			s.Resource(groupAddress, core.Object{"prompts": core.Object{
				"a": core.Object{"prompt": core.UnknownUntilApply(text)}, "b": core.Object{"prompt": "B"},
			}})
			s.Import(groupAddress, importID(ids)).Must()
			plan := s.Plan().Must()
			if announced := plan.UnknownIDs(groupAddress); len(announced) != 1 {
				t.Errorf("want a purchase, got:\n%s", plan)
			}
			s.WantWarning(plan.Diagnostics, "Imported Prompts Differ", `The prompts "a" of`, "or will have")
			s.ApplyPlan(plan).Must()
			s.WantCount(t, mockserver.RouteBatch, bought)
			s.WantCount(t, mockserver.RouteDelete, 0)
			s.Plan().Must().WantEmpty()
		})
	}
}
