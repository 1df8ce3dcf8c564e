package generation_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

// Keys do not depend on the order of a list, nor on what is created later.
func TestDerivedKeys(t *testing.T) {
	t.Parallel()
	for range 5 {
		keys := generation.DerivedKeys([]string{"Twins", "Ada", "twins!", "TWINS", "!?"})
		check.Equal(t, "keys", strings.Join(keys, " "), "p1 ada p3 p4 p5")
	}
}

// wholeGroup is a group that no state knows, at a deployment that shows groups.
func wholeGroup(t *testing.T, prompts ...string) (scenario, mockserver.Group) {
	t.Helper()
	s := newExtended(t)
	made := s.GenerateElsewhere("ch_1", "Portraits", prompts...)
	s.Clock.Advance(time.Hour)
	return s, made
}

// wantNothingDone checks that nothing was bought or deleted.
func (s scenario) wantNothingDone() {
	s.T.Helper()
	for _, route := range []string{mockserver.RouteBatch, mockserver.RouteDelete, mockserver.RouteDeleteGroup} {
		s.WantCount(s.T, route, 0)
	}
}

// The id of the group is all that an import needs, as an import id and as an
// identity. Fault F28.
func TestImportWhole(t *testing.T) {
	t.Parallel()
	s, made := wholeGroup(t, "Ada", "Twins", "Twins")
	s.group(nil, core.Object{"prompts": texts(map[string]string{"ada": "Ada", "p2": "Twins", "p3": "Twins"})})
	for _, adopt := range []func() *core.Result{
		func() *core.Result { return s.Import(groupAddress, made.ID) },
		func() *core.Result { return s.ImportIdentity(groupAddress, core.Object{"id": made.ID}) },
	} {
		s.ResetJournal()
		adopt().Must()
		check.Equal(t, "requests", len(s.Journal()), 1+1)
		s.Want(groupAddress, core.Object{
			"id":                   made.ID,
			"character_id":         "ch_1",
			"title":                "Portraits",
			"succeeded_count":      3,
			"complete":             true,
			"credits_deducted":     nil,
			`generations["p2"].id`: made.Generations[1].ID,
			`generations["p3"].id`: made.Generations[2].ID,
		})
		s.Plan().Must().WantEmpty()
		s.wantNothingDone()
		s.Forget(groupAddress)
	}
}

// A configuration with keys of its own renames the imported ones: also where it
// has options, which an import cannot read, or writes a text in another way.
// Fault F28.
func TestImportWhole_ownKeys(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]core.Object{
		"texts": texts(map[string]string{"a": "Ada", "b": "Twins", "c": "Twins"}),
		"options": {
			"a": core.Object{
				"prompt":    "Ada",
				"face_swap": true,
				"take":      2,
			},
			"b": core.Object{"prompt": "Twins", "use_face_lora": false},
			"c": core.Object{"prompt": "Twins", "source_image_url": "https://a.example/b.png"},
		},
		"white space": texts(map[string]string{"a": " Ada\n", "b": "twins", "c": "Twins "}),
		"swapped":     texts(map[string]string{"p2": "Ada", "p1": "Twins", "ada": "Twins"}),
	}, func(t *testing.T, prompts core.Object) {
		s, made := wholeGroup(t, "Ada", "Twins", "Twins")
		s.group(nil, core.Object{"prompts": prompts})
		s.Import(groupAddress, made.ID).Must()
		s.ResetJournal()
		plan := s.Plan().Must()
		check.True(
			t,
			"an update in place",
			plan.Action(groupAddress) == core.Update && len(plan.UnknownIDs(groupAddress)) == 0,
			plan,
		)
		s.WantSilent(plan.Diagnostics, mediaDeleted)
		s.ApplyPlan(plan).Must()
		s.Plan().Must().WantEmpty()
		s.wantNothingDone()
		s.WantCount(t, mockserver.RouteStatus, 0)
		ids := map[string]bool{}
		for key := range prompts {
			ids[fmt.Sprint(s.Value(groupAddress, `generations["`+key+`"].id`))] = true
		}
		check.True(t, "generations", len(ids) == 3, ids)
	})
}

// What an import has read of the group itself is compared, and buys and replaces
// nothing. From its own first update on, another character replaces the group.
// Fault F28.
func TestImportWhole_otherInputs(t *testing.T) {
	t.Parallel()
	type row struct {
		config   core.Object
		warnings []string
	}
	check.Each(t, map[string]row{
		"another title": {
			core.Object{"character_id": "ch_1", "title": "Mine"},
			[]string{"Title Is Sent With the Next Batch"},
		},
		"no title": {core.Object{"character_id": "ch_1", "title": ""}, []string{"Title Is Sent With the Next Batch"}},
		"character, later": {
			core.Object{"character_id": core.UnknownUntilApply("ch_1"), "title": "Mine"},
			[]string{"Title Is Sent With the Next Batch", "Planned Without Knowing character_id"},
		},
	}, func(t *testing.T, test row) {
		s, made := wholeGroup(t, "Ada", "Eve")
		s.AddCharacter(mockserver.CharacterSeed{ID: "ch_3", Name: "Lin"})
		config := core.Object{"prompts": texts(map[string]string{"ada": "Ada", "eve": "Eve"})}
		maps.Copy(config, test.config)
		s.Resource(groupAddress, config)
		s.Import(groupAddress, made.ID).Must()
		plan := s.Plan().Must()
		check.True(
			t,
			"an update in place",
			plan.Action(groupAddress) == core.Update && len(plan.UnknownIDs(groupAddress)) == 0,
			plan,
		)
		check.Equal(t, "messages", len(plan.Diagnostics), len(test.warnings))
		for _, warning := range test.warnings {
			s.WantWarning(plan.Diagnostics, warning)
		}
		s.ApplyPlan(plan).Must()
		s.Want(groupAddress, core.Object{"character_id": "ch_1", "title": test.config["title"]})
		s.Plan().Must().WantEmpty()
		s.wantNothingDone()
		config["character_id"] = "ch_3"
		check.Equal(
			t,
			"the plan with another character",
			s.Plans(groupAddress, config).Action(groupAddress),
			core.Replace,
		)
	})
}

// The group's list shows its character: another one is an error that names
// both, not a group whose prompts are all bought when it is corrected.
// Fault F28.
func TestImportWhole_anotherCharacter(t *testing.T) {
	t.Parallel()
	type row struct {
		character any
		says      string
	}
	check.Each(t, map[string]row{
		"another":        {"ch_2", `says "ch_2"`},
		"none":           {nil, "names none"},
		"another, later": {core.UnknownUntilApply("ch_2"), `says "ch_2"`},
	}, func(t *testing.T, test row) {
		s, made := wholeGroup(t, "Ada", "Eve")
		s.AddCharacter(mockserver.CharacterSeed{ID: "ch_2", Name: "Eve"})
		config := core.Object{"title": "Mine", "prompts": texts(map[string]string{"ada": "Ada", "eve": "Eve"})}
		if test.character != nil {
			config["character_id"] = test.character
		}
		s.Resource(groupAddress, config)
		s.Import(groupAddress, made.ID).Must()
		s.WantError(s.Apply().Diagnostics, "Import of Another Character", test.says, `"ch_1"`, made.ID)
		s.Want(groupAddress, core.Object{"character_id": "ch_1"})
		config["character_id"] = "ch_1"
		s.Applies(groupAddress, config)
		s.Plan().Must().WantEmpty()
		s.wantNothingDone()
	})
}

// What has not ended is awaited, and what has failed is data, as after any
// import.
func TestImportWhole_unfinished(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.FailPrompt("never", "no picture of that")
	made := s.GenerateElsewhere("", "Portraits", "Ada", "never")
	s.Resource(
		groupAddress,
		core.Object{"title": "Portraits", "prompts": texts(map[string]string{"ada": "Ada", "never": "never"})},
	)
	s.Import(groupAddress, made.ID).Must()
	s.WantCount(t, mockserver.RouteStatus, 2)
	s.Want(groupAddress, core.Object{"pending_count": 2, "character_id": nil})
	s.Apply().Must()
	s.Want(groupAddress, core.Object{"succeeded_count": 1, `generations["never"].error`: "no picture of that"})
	s.Plan().Must().WantEmpty()
	s.wantNothingDone()
	s.Destroy().Must()
	s.WantCount(t, mockserver.RouteDeleteGroup, 1) // its list shows nothing else
}

// With the pairs the group's list saves requests; what it does not show is read
// as without.
func TestImportWhole_pairs(t *testing.T) {
	t.Parallel()
	s, made := wholeGroup(t, "Ada", "Eve", "Lin")
	identity := core.Object{
		"id":          made.ID,
		"generations": []any{"a=" + made.Generations[0].ID, "e=" + made.Generations[1].ID},
	}
	s.ImportIdentity(groupAddress, identity).Must()
	s.WantCount(t, mockserver.RouteGroup, 1)
	s.WantCount(t, mockserver.RouteStatus, 0)
	s.Want(groupAddress, core.Object{"title": "Portraits", `prompts["a"].prompt`: "Ada", "succeeded_count": 2})
	s.Forget(groupAddress)

	s.Fault(mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Status: 404, Body: "no such page"})
	s.ResetJournal()
	s.ImportIdentity(groupAddress, identity).Must()
	s.WantCount(t, mockserver.RouteStatus, 2)
	s.Want(groupAddress, core.Object{"title": nil, `prompts["a"].prompt`: "Ada", "succeeded_count": 2})
	s.Forget(groupAddress)

	s.readsMore(false)
	s.ResetJournal()
	identity["id"] = "unknown-or-wrong"
	s.ImportIdentity(groupAddress, identity).Must()
	s.WantCount(t, mockserver.RouteGroup, 0)
	s.Want(groupAddress, core.Object{"id": made.ID, "title": nil})
}

func TestImportWhole_refused(t *testing.T) {
	t.Parallel()
	incomplete := func(change func(page map[string]any)) mockserver.Fault {
		return mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Rewrite: change}
	}
	type row struct {
		less    bool
		id      string // default the group's
		fault   mockserver.Fault
		summary string
		says    []string
		sent    int
	}
	check.Each(t, map[string]row{
		"without extended reads": {
			less:    true,
			summary: "Invalid Import Id",
			says:    []string{"extended_reads = true", "jsonencode", "grp_000001"},
		},
		"no id":     {id: " x", summary: "Invalid Import Id", says: []string{"white space"}},
		"no object": {id: `["a"]`, summary: "Invalid Import Id", says: []string{"JSON object"}},
		"nothing":   {id: "{}", summary: "Invalid Import Id", says: []string{"names no generation"}},
		"an unknown group": {
			id:      "unconfirmed-1234",
			summary: "Invalid Import Id",
			says:    []string{"names no generation"},
		},
		"another group": {
			id:      "grp_9",
			summary: "Unable to Read Generation Group",
			says:    []string{"404", "grp_9"},
			sent:    1,
		},
		"no such route": {
			fault:   mockserver.Fault{Route: mockserver.RouteGroup, Times: 100, Status: 405},
			summary: "Unable to Read Generation Group",
			says:    []string{"405", "does not offer"},
			sent:    1,
		},
		"empty": {
			id:      "grp_000002",
			summary: "Unable to Read Generation Group",
			says:    []string{"no generations"},
			sent:    1,
		},
		"fewer than counted": {
			fault:   incomplete(func(page map[string]any) { page["generations"] = page["generations"].([]any)[1:] }),
			summary: "Unable to Read Generation Group", says: []string{"add up"}, sent: 1,
		},
		"more that never comes": {
			fault:   incomplete(func(page map[string]any) { page["pagination"].(map[string]any)["has_more"] = true }),
			summary: "Unable to Read Generation Group", says: []string{"add up"}, sent: 2,
		},
	}, func(t *testing.T, test row) {
		s, made := wholeGroup(t, "Ada", "Eve")
		s.GenerateElsewhere("", "Nothing")
		if test.fault.Route != "" {
			s.Fault(test.fault)
		}
		if test.id == "" {
			test.id = made.ID
		}
		s.readsMore(!test.less)
		result := s.Import(groupAddress, test.id)
		s.WantError(result.Diagnostics, test.summary, test.says...)
		check.True(t, "nothing is in the state", s.State(groupAddress) == nil)
		check.Equal(t, "requests", len(s.Journal()), 1+test.sent)
	})
}

// What is deleted meanwhile, or not shown yet by its status, is not bought again.
// Fault F12.
func TestImportWhole_shownByItsListAlone(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	made := s.GenerateElsewhere("", "", "Ada", "Eve")
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 2, Status: 404, Body: `{"error":"not_found"}`})
	s.Resource(groupAddress, core.Object{"prompts": texts(map[string]string{"ada": "Ada", "eve": "Eve"})})
	s.Import(groupAddress, made.ID).Must()
	s.Want(groupAddress, core.Object{"pending_count": 2})
	check.Equal(t, "purchases", len(s.Plan().Must().UnknownIDs(groupAddress)), 0)
	s.Apply().Must()
	s.Want(groupAddress, core.Object{"succeeded_count": 2})
	s.wantNothingDone()
	want := core.Object{"ada": made.Generations[0].ID, "eve": made.Generations[1].ID}
	got := core.Object{
		"ada": s.Value(groupAddress, `generations["ada"].id`),
		"eve": s.Value(groupAddress, `generations["eve"].id`),
	}
	check.Equal(t, "ids", got, want)
}
