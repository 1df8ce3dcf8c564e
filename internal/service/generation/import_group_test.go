package generation_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

func TestImportID_isAJSONObject(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]map[string]string{
		`{"a":"g1", "b/c":"g2"}`: {"a": "g1", "b/c": "g2"},
		`{"a":"g","b":"g"}`:      {"a": "g", "b": "g"},
	} {
		got, err := generation.DecodeImportID(id)
		check.NoError(t, err)
		check.Equal(t, "pairs", got, want)
	}
	for _, id := range []string{
		"",
		"g1",
		"[]",
		`{"a":1}`,
		`{"a":null}`,
		`{"a":""}`,
		`{"":"g"}`,
		`{"a":"g"}x`,
		`{"a":{"b":"c"}}`,
		`{"a":"g"`,
	} {
		check.True(t, "it is refused", check.ErrorOf(generation.DecodeImportID(id)) != nil, id)
	}
}

func FuzzIdentityPairs(f *testing.F) {
	f.Add("a", "g1", "b", "g2")
	f.Add("a,b=c%", "g=1", "%2C", "g,2")
	f.Fuzz(func(t *testing.T, key1, id1, key2, id2 string) {
		pairs := map[string]string{key1: id1, key2: id2}
		decoded, err := generation.DecodePairs(generation.EncodePairs(pairs))
		check.True(t, "decoded as encoded", err != nil || maps.Equal(pairs, decoded), pairs, decoded)
	})
}

// madeByHand is a scenario whose service has a group that no state knows.
func madeByHand(t *testing.T) (s scenario, ids map[string]string) {
	t.Helper()
	s = applied(t, map[string]string{"a": "A", "b": "B"})
	ids = map[string]string{"a": s.idOf("a"), "b": s.idOf("b")}
	s.Forget(groupAddress)
	s.ResetJournal()
	return s, ids
}

func importID(ids map[string]string) string {
	return `{"a":"` + ids["a"] + `","b":"` + ids["b"] + `"}`
}

// Fault F28.
func TestImport_takesOverWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(nil, core.Object{"prompts": core.Object{
		"a": core.Object{"prompt": " a ", "face_swap": true}, "b": core.Object{"prompt": "B"},
	}})
	s.Import(groupAddress, importID(ids)).Must()
	s.Want(
		groupAddress,
		core.Object{
			"wait_for_completion": true,
			"max_attempts":        1,
			"refresh_finished":    true,
			"credits_deducted":    nil,
			"succeeded_count":     2,
		},
	)
	plan := s.Plan().Must()
	check.True(
		t,
		"an update in place",
		plan.Action(groupAddress) == core.Update && len(plan.UnknownIDs(groupAddress)) == 0,
		plan,
	)
	s.WantWarning(plan.Diagnostics, "Imported Group Is Taken Over")
	s.ApplyPlan(plan).Must()
	s.Plan().Must().WantEmpty()
	s.wantNothingDone()
	// From the first update on, a changed prompt is a changed prompt.
	s.group(map[string]string{"a": "A, again", "b": "B"})
	s.buys([]string{`generations["a"]`}, 1)
	s.Plan().Must().WantEmpty()
}

// What the import has read is compared: another prompt is bought, and the
// imported media stay. Fault F28.
func TestImport_anotherPromptIsBought(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(map[string]string{"a": "A, smiling", "b": "B"})
	s.Import(groupAddress, importID(ids)).Must()
	s.WantWarning(s.Plan().Must().Diagnostics, "Imported Prompts Differ", `"a" is bought`)
	result := s.buys([]string{`generations["a"]`}, 1)
	s.WantWarning(result.Diagnostics, "Imported Generations Left at the Service", ids["a"])
	s.Plan().Must().WantEmpty()
	s.WantCount(t, mockserver.RouteDelete, 0)
	check.True(t, "the imported generation is there", s.isThere(ids["a"]))
	s.Destroy().Must()
	s.wantStanding("A")
}

// Who imports one generation joins its group: what is added goes into it, and a
// destroy leaves what was not imported.
// Fault F28.
func TestImport_ofOneGenerationJoinsItsGroup(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(map[string]string{"a": "A", "c": "C"})
	s.Import(groupAddress, `{"a":"`+ids["a"]+`"}`).Must()
	s.buys([]string{`generations["c"]`}, 1)
	check.Contains(
		t,
		"the batch",
		string(s.Requests(mockserver.RouteBatch)[0].Body),
		fmt.Sprintf(`"group_id":%q`, s.Value(groupAddress, "id")),
	)
	s.Plan().Must().WantEmpty()
	s.wantStanding("A", "B", "C")
	s.Destroy().Must()
	s.wantStanding("B")
}

// A key is bought, and named, also if another key takes over what it imported.
// What that key had before is no longer wanted.
// Fault F28.
func TestImport_namesTheKeyWhoseGenerationMoves(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.group(map[string]string{"a": "B", "b": "C"})
	s.Import(groupAddress, importID(ids)).Must()
	said := s.Plan().Must().Diagnostics
	s.WantWarning(said, mediaDeleted, `The plan buys 1 prompt: "b"`, `The prompt "b" is bought again`,
		`The prompt "a" is no longer in the configuration`, `generations of these prompts stay at the service: "b"`)
	s.buys([]string{`generations["b"]`}, 1)
	s.Want(groupAddress, core.Object{`generations["a"].id`: ids["b"]})
	s.Plan().Must().WantEmpty()
}

// A failed prompt of an imported group counts as tried max_attempts times, also
// one that fails while the import's own apply waits for it; a higher
// max_attempts, after that, submits it again. Fault F28.
func TestImport_failedPromptsAreNotBought(t *testing.T) {
	t.Parallel()
	for name, ended := range map[string]bool{"failed before": true, "fails later": false} {
		for later, attempts := range map[string]any{"": 3, ", known later": core.UnknownUntilApply(3)} {
			t.Run(name+later, func(t *testing.T) {
				t.Parallel()
				s := newScenario(t)
				s.FailPrompt("B", "no picture of that")
				s.applies(map[string]string{"a": "A", "b": "B"}, core.Object{"wait_for_completion": ended})
				ids := map[string]string{"a": s.idOf("a"), "b": s.idOf("b")}
				s.Forget(groupAddress)
				s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"max_attempts": attempts})
				s.Import(groupAddress, importID(ids)).Must()
				plan := s.Plan().Must()
				check.True(t, "the plan buys nothing", len(plan.UnknownIDs(groupAddress)) == 0, plan)
				if ended {
					s.WantWarning(
						plan.Diagnostics,
						"Imported Group Is Taken Over",
						`what failed counts as submitted so often (prompt "b")`,
					)
				}
				s.ApplyPlan(plan).Must()
				s.Want(
					groupAddress,
					core.Object{
						`generations["b"].id`:       ids["b"],
						`generations["b"].attempts`: 3,
						"failed_count":              1,
						"max_attempts":              3,
					},
				)
				s.plans(map[string]string{"a": "A", "b": "B"}, core.Object{"max_attempts": 3}).WantEmpty()
				check.Equal(t, "prompts charged before the import", s.charged(), 2)
				s.ResetJournal()
				s.group(map[string]string{"a": "A", "b": "B"}, core.Object{"max_attempts": 4})
				s.buys([]string{`generations["b"]`}, 1)
			})
		}
	}
}

// An update that fails does not end the import: the next plan must not replace
// the group because of a character that the import could not read.
// Fault F28.
func TestImport_outlivesAnUpdateThatFails(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.Resource(groupAddress, core.Object{"character_id": "ch_1", "prompts": core.Object{
		"a": core.Object{"prompt": "A, smiling"}, "b": core.Object{"prompt": "B", "face_swap": true},
	}})
	s.Import(groupAddress, importID(ids)).Must()
	s.SetBalance(0)
	for range 3 {
		check.True(t, "the update fails", s.Apply().Diagnostics.HasErrors())
	}
	s.SetBalance(100)
	s.buys([]string{`generations["a"]`}, 1)
	s.Plan().Must().WantEmpty()
	for _, route := range []string{mockserver.RouteDelete, mockserver.RouteDeleteGroup} {
		s.WantCount(t, route, 0)
	}
}

func TestImport_refusesWhatIsNotOneGroup(t *testing.T) {
	t.Parallel()
	s, ids := madeByHand(t)
	s.Resource(otherAddress, core.Object{"character_id": "ch_1", "prompts": texts(map[string]string{"c": "C"})})
	s.Remove(groupAddress)
	s.Apply().Must()
	other, _ := s.Value(otherAddress, `generations["c"].id`).(string)
	for name, id := range map[string]string{
		"of two groups":  `{"a":"` + ids["a"] + `","c":"` + other + `"}`,
		"does not exist": `{"a":"` + ids["a"] + `","b":"gen_none"}`,
		"not JSON":       ids["a"],
	} {
		result := s.Import(groupAddress, id)
		check.True(t, name, result.Diagnostics.HasErrors() && s.State(groupAddress) == nil, result.Diagnostics)
	}
}

// The plan after an import names what it takes over, and only that.
func TestImport_namesWhatIsTakenOver(t *testing.T) {
	t.Parallel()
	const summary = "Imported Group Is Taken Over"
	plain := core.Object{"a": core.Object{"prompt": "A"}, "b": core.Object{"prompt": "B"}}
	type row struct {
		config core.Object
		says   []string // nil is nothing
		not    []string
	}
	check.Each(t, map[string]row{
		"nothing": {core.Object{"prompts": plain}, nil, nil},
		"character": {
			core.Object{"prompts": plain, "character_id": "ch_1"},
			[]string{"character_id"},
			[]string{"title", "prompt "},
		},
		"title": {
			core.Object{"prompts": plain, "title": "Portraits"},
			[]string{"title"},
			[]string{"character_id", "prompt "},
		},
		"options": {core.Object{"prompts": core.Object{
			"a": core.Object{"prompt": "A", "face_swap": true, "use_face_lora": false},
			"b": core.Object{
				"prompt":           "B",
				"face_swap":        true,
				"use_body_lora":    false,
				"source_image_url": "https://a.example/b.png",
			},
		}}, []string{
			`face_swap of the keys "a", "b"`,
			`use_face_lora of the keys "a"`,
			`use_body_lora of the keys "b"`,
			`source_image_url of the keys "b"`,
		}, []string{"character_id", "title", "prompt of"}},
		"how it is written": {
			core.Object{"prompts": core.Object{"a": core.Object{"prompt": " a "}, "b": core.Object{"prompt": "B"}}},
			[]string{`prompt of the keys "a"`},
			[]string{`"b"`, "character_id"},
		},
		"another prompt": {core.Object{"prompts": texts(map[string]string{"a": "A, smiling", "b": "B"})}, nil, nil},
	}, func(t *testing.T, test row) {
		s, ids := madeByHand(t)
		s.Resource(groupAddress, test.config)
		s.Import(groupAddress, importID(ids)).Must()
		said := s.Plan().Must().Diagnostics
		if test.says == nil {
			s.WantSilent(said, summary)
			return
		}
		s.WantWarning(said, summary, test.says...)
		for _, text := range test.not {
			check.True(t, "it says no more", !strings.Contains(said.Find(summary).String(), text), text, said)
		}
		s.Apply().Must()
		s.WantSilent(s.Plan().Must().Diagnostics, summary)
		s.WantCount(t, mockserver.RouteBatch, 0)
	})
}

// An apply without an update of the group does not end its import, however long
// ago it was: what the import could not read is taken over, and a text that it
// has read is compared. Fault F21.
func TestImport_holdsWhileThereIsNothingToUpdate(t *testing.T) {
	t.Parallel()
	type row struct {
		prompt core.Object
		buys   bool
	}
	check.Each(t, map[string]row{
		"options":        {core.Object{"prompt": "A", "face_swap": true, "use_face_lora": false}, false},
		"another prompt": {core.Object{"prompt": "A, smiling"}, true},
	}, func(t *testing.T, test row) {
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
			s.WantWarning(said, "Imported Prompts Differ", `"a" is bought`)
			s.WantSilent(said, mediaDeleted)
		} else {
			s.WantWarning(
				s.Plan().Diagnostics,
				"Imported Group Is Taken Over",
				`face_swap of the keys "a"`,
				`use_face_lora of the keys "a"`,
			)
			s.Apply().Must()
			s.wantNothingDone()
			check.Equal(t, "purchases: the group made by hand", len(s.Ledger().Entries), 1)
			s.wantStanding("A", "B")
		}
		s.Plan().Must().WantEmpty()

		// From its update on, a change of an option is a change.
		s.Resource(
			groupAddress,
			core.Object{"prompts": core.Object{"a": test.prompt, "b": core.Object{"prompt": "B", "face_swap": true}}},
		)
		check.Equal(t, "purchases: b", len(s.Plan().Must().UnknownIDs(groupAddress)), 1)
	})
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
	check.True(t, "an error, since b cannot be deleted", s.Apply().Diagnostics.HasErrors())
	s.ClearFaults()
	s.Want(groupAddress, core.Object{"character_id": "ch_1", `prompts["a"].face_swap`: true})

	s.Resource(
		groupAddress,
		core.Object{"character_id": "ch_2", "prompts": core.Object{"a": core.Object{"prompt": "A", "face_swap": true}}},
	)
	check.Equal(t, "the plan with another character", s.Plan().Must().Action(groupAddress), core.Replace)
	s.Resource(groupAddress, core.Object{"character_id": "ch_1", "title": "Paintings", "prompts": core.Object{
		"a": core.Object{"prompt": "A", "face_swap": false, "use_face_lora": false},
	}})
	plan := s.Plan().Must()
	check.Equal(t, "purchases: a", len(plan.UnknownIDs(groupAddress)), 1)
	s.WantSilent(plan.Diagnostics, "Imported Group Is Taken Over")
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
			check.True(t, "a purchase", len(plan.UnknownIDs(groupAddress)) == 1, plan)
			s.WantWarning(plan.Diagnostics, "Imported Prompts Differ", `"a" is bought`, "or will have")
			s.ApplyPlan(plan).Must()
			s.WantCount(t, mockserver.RouteBatch, bought)
			s.WantCount(t, mockserver.RouteDelete, 0)
			s.Plan().Must().WantEmpty()
		})
	}
}
