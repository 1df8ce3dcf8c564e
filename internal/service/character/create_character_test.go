package character_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	deletes  = "Character Will Be Deleted: character "
	stays    = "Characters Will Be Forgotten"
	nameUsed = "Character Name Already Used"
)

// newExtended is a workspace at a service that can create characters.
func newExtended(t *testing.T, change ...func(*mockserver.Options)) *acctest.Scenario {
	t.Helper()
	return acctest.NewScenario(t, append(change, func(o *mockserver.Options) { o.Extended = true })...)
}

func characterIDs(s *acctest.Scenario) (ids []string) {
	for _, seed := range s.Server.State().Characters {
		ids = append(ids, seed.ID)
	}
	return ids
}

// A character without an id is created, kept as configured, and deleted. The
// reply to the creation is the state: nothing is read or updated after it.
func TestCreatedCharacter(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	plan := s.Plans(ada, core.Object{"name": "Ada", "description": "counts"})
	wantSilence(t, plan)
	after := plan.Change(ada).After
	check.True(t, "what is planned", after["id"] == core.Unknown && after["deletion_policy"] == "delete", plan)
	s.ResetJournal()
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteCreate, 1)
	s.WantCount(t, "", 2) // and the token
	id := characterIDs(s)[0]
	s.Want(ada, core.Object{"id": id, "name": "Ada", "description": "counts", "deletion_policy": "delete"})
	s.Plan().Must().WantEmpty()
	s.Applies(ada, core.Object{"name": "Ada L."})
	s.Want(ada, core.Object{"id": id, "name": "Ada L.", "description": "counts"})
	s.WantCount(t, mockserver.RouteUpdate, 1)
	s.Destroy().Must()
	s.WantCount(t, mockserver.RouteDeleteCharacter, 1)
	check.Equal(t, "characters and objects left", len(characterIDs(s))+len(s.Addresses()), 0)
}

// What is sent is what is configured.
func TestCreatedTexts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config core.Object
		sent   string
	}{
		"both": {
			core.Object{"name": "Ada", "description": "counts"},
			`{"name":"Ada","description":"counts"}`,
		},
		"no description": {core.Object{"name": "Ada"}, `{"name":"Ada"}`},
		"not known so far": {
			core.Object{"name": core.UnknownUntilApply("Ada"), "description": core.UnknownUntilApply("")},
			`{"name":"Ada","description":""}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newExtended(t)
			s.Applies(ada, test.config)
			check.Equal(t, "sent", string(s.Requests(mockserver.RouteCreate)[0].Body), test.sent)
			s.Plan().Must().WantEmpty()
			s.Resource(ada, core.Object{})
			s.Plan().Must().WantEmpty() // the name is only needed to create
		})
	}
}

// Fault F26.
func TestCreationNeedsAName(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Resource(ada, core.Object{"description": "counts"})
	s.WantMessage(s.Plan().Diagnostics.Errors(), "name", "Missing Name")
	s.Resource(ada, core.Object{"name": "Ada", "deletion_policy": "forget"})
	s.WantMessage(s.Validate().Errors(), "deletion_policy", `"keep"`)
	s.WantCount(t, mockserver.RouteCreate, 0)
}

// An id that is not known at plan is one to adopt: none at apply is an error, and
// nothing is created.
func TestUnknownIDAdopts(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	s.Applies(ada, core.Object{"id": core.UnknownUntilApply(id), "name": "Ada"})
	s.Want(ada, core.Object{"id": id, "deletion_policy": "keep"})
	const other = "mediagen_character.other"
	plan := s.Plans(other, core.Object{"id": core.UnknownUntilApply(nil), "name": "Eve"})
	after := plan.Change(other).After
	check.True(t, "what is planned", after["id"] == core.Unknown && after["deletion_policy"] == "keep", plan)
	check.Contains(t, "the error of no id at apply", s.ApplyPlan(plan).Diagnostics.Errors().String(), "deletion_policy")
	s.Resource(other, core.Object{"id": core.UnknownUntilApply(nil)})
	s.WantMessage(s.Apply().Diagnostics.Errors(), "name", "Missing Name")
	s.WantCount(t, mockserver.RouteCreate, 0)
}

// What becomes of a character is decided once, by how it was obtained, unless the
// configuration says so.
func TestDeletionPolicy(t *testing.T) {
	t.Parallel()
	type row struct {
		adopted bool
		first   any // of deletion_policy
		later   any
		want    string
	}
	check.Each(t, map[string]row{
		"created":                  {false, nil, nil, "delete"},
		"created, kept":            {false, "keep", "keep", "keep"},
		"created, kept later":      {false, nil, "keep", "keep"},
		"created, then unset":      {false, "keep", nil, "keep"},
		"adopted":                  {true, nil, nil, "keep"},
		"adopted, deleted":         {true, "delete", "delete", "delete"},
		"adopted, deleted later":   {true, nil, "delete", "delete"},
		"adopted, not known":       {true, core.UnknownUntilApply("delete"), "delete", "delete"},
		"created, unknown, unset":  {false, core.UnknownUntilApply(nil), nil, "delete"},
		"created, changed unknown": {false, nil, core.UnknownUntilApply("keep"), "keep"},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		config := core.Object{"name": "Ada", "deletion_policy": test.first}
		if test.adopted {
			config["id"] = s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
		}
		s.Applies(ada, config)
		config["deletion_policy"] = test.later
		s.Resource(ada, config)
		s.ResetJournal()
		s.Apply(core.Refresh(false)).Must()
		s.WantNoRequests(t) // a change of it sends nothing
		s.Plan().Must().WantEmpty()
		s.Want(ada, core.Object{"deletion_policy": test.want})
		summary := deletes + characterIDs(s)[0]
		left := 0
		if test.want == "keep" {
			summary = stays
			left = 1
		}
		plan := s.Plan(core.Destroying()).Must()
		s.WantWarning(plan.Diagnostics, summary)
		said := s.ApplyPlan(plan).Must().Diagnostics
		check.True(t, "the plan has said it", len(said) == 0, said)
		check.Equal(t, "characters left", len(characterIDs(s)), left)
		s.WantCount(t, mockserver.RouteDeleteCharacter, 1-left)
	})
}

// The plan counts what may go with a character.
func TestDeletionIsAnnounced(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada", FaceImages: 3, BodyImages: 1, FaceLoRA: true})
	s.Applies(ada, core.Object{"id": id, "deletion_policy": "delete"})
	s.WantWarning(
		s.Plan(core.Destroying()).Must().Diagnostics,
		deletes,
		id,
		"3 face images, 1 body image and 1 LoRA (face",
		"does not document",
		`deletion_policy = "keep"`,
	)
	other := s.AddCharacter(mockserver.CharacterSeed{Name: "Eve"})
	plan := s.Plans(ada, core.Object{"id": other})
	s.WantWarning(plan.Diagnostics, deletes, id)
	s.ApplyPlan(plan).Must()
	s.Want(ada, core.Object{"id": other, "deletion_policy": "keep"})
	check.Equal(t, "characters left", characterIDs(s), []string{other})
}

// To name the id of a created character, or to leave out that of an adopted one,
// changes nothing; another one replaces.
func TestIDOfCreated(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Applies(ada, core.Object{"name": "Ada"})
	id := characterIDs(s)[0]
	s.Plans(ada, core.Object{"id": id, "name": "Ada"}).WantEmpty()
	s.Resource(ada, core.Object{"name": "Ada"})
	plan := s.Plan(core.Replacing(ada)).Must()
	s.ApplyPlan(plan).Must()
	now := characterIDs(s)
	check.True(t, "-replace leaves another", len(now) == 1 && now[0] != id, now, id)
	s.Plan().Must().WantEmpty()
}

func TestImportKeeps(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	s.Resource(ada, core.Object{"name": "Ada"})
	s.Import(ada, id).Must()
	s.Plan().Must().WantEmpty()
	s.Want(ada, core.Object{"id": id, "deletion_policy": "keep"})
	s.Destroy().Must()
	s.WantCount(t, mockserver.RouteDeleteCharacter, 0)
	s.WantCount(t, mockserver.RouteCreate, 0)
}

// A deployment without the endpoint leaves adoption. Fault F13b.
func TestCreationWithoutTheRoute(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	fault := mockserver.MissingRoute()[405]
	fault.Route = mockserver.RouteCreate
	s.Fault(fault)
	s.Resource(ada, core.Object{"name": "Ada"})
	s.WantMessage(s.Apply().Diagnostics.Errors(), "id", "Set id")
	s.WantCount(t, mockserver.RouteCharacters, 0)
}

// A refusal is no creation, and is about the attribute that the service blames.
func TestCreationRefused(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Fault(
		mockserver.Fault{
			Route:  mockserver.RouteCreate,
			Nth:    1,
			Status: 422,
			Body:   `{"detail":[{"loc":["body","name"],"msg":"taken"}]}`,
		},
	)
	s.Resource(ada, core.Object{"name": "Ada"})
	said := s.Apply().Diagnostics
	s.WantMessage(said.Errors(), "name", "taken")
	s.WantMessage(said.Errors(), "name", "No character was created.")
	s.WantCount(t, mockserver.RouteCreate, 1)
	s.WantCount(t, mockserver.RouteCharacters, 0)
	s.Applies(ada, core.Object{"name": "Ada"})
}

// The plan of a creation goes by the list as far as the run has read it.
func TestCreationOfAKnownName(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	id := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	s.Resource(ada, core.Object{"name": "Ada"})
	wantSilence(t, s.Plan()) // and nothing was read
	s.WantCount(t, mockserver.RouteCharacters, 0)
	s.Applies("mediagen_character.adopted", core.Object{"id": id})
	s.Resource("mediagen_character.eve", core.Object{"name": "Eve"})
	plan := s.Plans("mediagen_character.other", core.Object{"name": "Ada"})
	s.WantWarning(plan.Diagnostics, nameUsed, id, characterIDs(s)[1])
	s.ApplyPlan(plan).Must()
	check.Equal(t, "characters", len(characterIDs(s)), 4)
}

// After a creation of unconfirmed outcome nothing is in the state: neither what
// it has made, nor a colleague's character of its name and time. Both are
// named, by id, and a person may adopt one. Fault F4.
func TestLostCreationTakesNothing(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"dropped":    {DropAfterWork: true},
		"without id": {Rewrite: func(reply map[string]any) { delete(reply, "character_id") }},
		"a no":       {Rewrite: func(reply map[string]any) { reply["success"] = false }},
		"not made":   {DropBefore: true},
		"502":        {Status: 502},
	}, func(t *testing.T, fault mockserver.Fault) {
		s := newExtended(t)
		fault.Route = mockserver.RouteCreate
		fault.Nth = 1
		s.Fault(fault)
		s.Before(
			mockserver.RouteCreate,
			func() { s.AddCharacter(mockserver.CharacterSeed{Name: "Ada", Description: "counts"}) },
		)
		s.Resource(ada, core.Object{"name": "Ada", "description": "counts"})
		said := s.Apply().Diagnostics
		there := characterIDs(s)
		s.WantError(said, "Character Unconfirmed", there...)
		s.WantError(
			said,
			"Character Unconfirmed",
			"nothing is in the state",
			`deletion_policy = "delete"`,
			"apply again",
		)
		check.Equal(t, "in the state", len(s.Addresses()), 0)
		s.Destroy().Must()
		check.Equal(t, "characters", characterIDs(s), there)
		s.WantCount(t, mockserver.RouteCreate, 1)
		s.WantCount(t, mockserver.RouteCharacters, 1)
		s.Applies(ada, core.Object{"id": there[len(there)-1], "name": "Ada", "deletion_policy": "delete"})
		s.Plan().Must().WantEmpty()
		s.Destroy().Must()
		check.True(t, "the other is left", slices.Equal(characterIDs(s), there[:len(there)-1]), characterIDs(s))
		s.WantCount(t, mockserver.RouteCreate, 1)
		s.WantCount(t, mockserver.RouteUpdate, 0)
	})
}

// What lists have shown before, and what the run has made since, is not named.
// One that is left is in the line to paste. Fault F4.
func TestLostCreationNamesWhatIsNew(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	adopted := s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteCreate, After: mockserver.RouteCreate, DropAfterWork: true})
	s.Resource("mediagen_character.adopted", core.Object{"id": adopted})
	s.Resource("mediagen_character.made", core.Object{"name": "Ada"}, core.DependsOn("mediagen_character.adopted"))
	s.Resource(ada, core.Object{"name": "Ada"}, core.DependsOn("mediagen_character.made"))
	said := s.Apply().Diagnostics
	there := characterIDs(s)
	s.WantError(said, "Character Unconfirmed", "  id = "+strconv.Quote(there[2])+"\n")
	text := said.Errors().String()
	check.True(
		t,
		"what is not new is not named",
		!strings.Contains(text, there[0]) && !strings.Contains(text, there[1]),
		text,
	)
}

// A list that cannot be read changes nothing.
// Fault F4.
func TestLostCreationWithoutAList(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteCreate, Nth: 1, DropAfterWork: true})
	s.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Status: 503})
	s.Resource(ada, core.Object{"name": "Ada"})
	said := s.Apply().Diagnostics
	s.WantError(said, "Character Unconfirmed", `  id = "ID"`, "apply again")
	check.True(t, "names are not told", !strings.Contains(said.String(), "Ada"), said)
	s.WantCount(t, mockserver.RouteCharacters, 1)
	s.ClearFaults()
	s.Apply().Must()
	check.Equal(t, "id", s.Value(ada, "id"), any(characterIDs(s)[1]))
}

// A created character is pending until a read has shown it, and only then it
// can vanish. Fault F12.
func TestCreatedIsPending(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Applies(ada, core.Object{"name": "Ada"})
	hidden := mockserver.Fault{Route: mockserver.RouteCharacters, Rewrite: func(page map[string]any) {
		page["characters"] = []any{}
		page["pagination"].(map[string]any)["returned"] = 0
	}}
	s.Fault(hidden)
	s.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: `{"error":"not_found"}`})
	for range 2 {
		s.Plan().Must().WantEmpty()
		s.Apply().Must()
	}
	s.ClearFaults()
	s.Refresh().Must()
	s.Fault(hidden)
	s.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: `{"error":"not_found"}`})
	s.Refresh().Must()
	check.True(t, "what vanished has left the state", s.State(ada) == nil)
	s.WantCount(t, mockserver.RouteCreate, 1)
}

// That a list lags is no news before a read has shown the character.
func TestCreatedIsNotListedYet(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Applies(ada, core.Object{"name": "Ada"})
	s.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Rewrite: func(page map[string]any) {
		page["characters"] = []any{}
		page["pagination"].(map[string]any)["returned"] = 0
	}})
	for _, warnings := range []int{0, 1} {
		check.Equal(t, "warnings", len(s.Refresh().Must().Diagnostics.Find("Character Not Listed")), warnings)
	}
}

// What a run has created is in its list, whatever the pages show.
func TestCreatedJoinsTheList(t *testing.T) {
	t.Parallel()
	s := newExtended(t, func(o *mockserver.Options) { o.Variant.LateVisibility = 100 })
	s.Resource(ada, core.Object{"name": "Ada"})
	s.Applies(
		"mediagen_character.again",
		core.Object{"id": core.UnknownUntilApply("char_000001"), "deletion_policy": "keep"},
		core.DependsOn(ada),
	)
	s.Want("mediagen_character.again", core.Object{"name": "Ada"})
	s.WantCount(t, mockserver.RouteCharacters, 0)
}

func TestCreationIsLogged(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	log := filepath.Join(t.TempDir(), "purchases.jsonl")
	s.Set(core.Object{"purchase_log": log})
	s.Applies(ada, core.Object{"name": "Ada"})
	s.Destroy().Must()
	content, err := os.ReadFile(log)
	check.Must(t, err)
	var got []string
	for line := range strings.Lines(string(content)) {
		fields := map[string]any{}
		check.Must(t, json.Unmarshal([]byte(line), &fields))
		id, _ := fields["character_id"].(string)
		name, _ := fields["name"].(string)
		got = append(got, strings.Join([]string{fields["type"].(string), fields["outcome"].(string), name, id}, " "))
	}
	want := []string{
		"create_character sending Ada ", "create_character answered Ada char_000001",
		"delete_character sending  char_000001", "delete_character answered  char_000001",
	}
	check.True(t, "the log", slices.Equal(got, want), got, want)
}

// That a deployment cannot create characters is told once, with the one way out,
// and asked once for each. Fault F13b.
func TestDeploymentWithoutCreations(t *testing.T) {
	t.Parallel()
	for status, missing := range mockserver.MissingRoute() {
		s := newExtended(t)
		missing.Route = mockserver.RouteCreate
		s.Fault(missing)
		for _, name := range []string{"a", "b", "c"} {
			s.Resource("mediagen_character."+name, core.Object{"name": name})
		}
		refused := s.Apply().Diagnostics.Errors().At("id")
		told := 0
		same := 0
		for _, refusal := range refused {
			check.True(
				t,
				"it begins with the cause",
				strings.HasPrefix(
					refusal.Detail,
					"This deployment does not offer POST /characters; no such endpoint (",
				),
				refusal,
			)
			told += strings.Count(refusal.Detail, "Set id to a character that exists")
			check.True(t, "no advice besides", !strings.Contains(refusal.Detail, "endpoint."), refusal)
			same += strings.Count(refusal.Detail, "the same failure as another object's.")
		}
		check.True(t, "three errors, one in full", len(refused) == 3 && told == 1 && same == 2, status, refused)
		s.WantCount(t, mockserver.RouteCreate, 3)
	}
}

// A deletion is done if it is proven to be: the character stays in the state
// otherwise. Fault F8.
func TestDeletionOfCharacter(t *testing.T) {
	t.Parallel()
	const route, notFound = mockserver.RouteDeleteCharacter, `{"error":"not_found","message":"no such endpoint"}`
	type row struct {
		fault   mockserver.Fault
		removed bool // before
		gone    bool // from the state
		says    string
	}
	check.Each(t, map[string]row{
		"deleted elsewhere": {mockserver.Fault{}, true, true, ""},
		"reply lost":        {mockserver.Fault{Route: route, Nth: 1, DropAfterWork: true}, false, true, ""},
		"no such route, 404": {
			mockserver.Fault{Route: route, Status: 404, Body: notFound},
			false,
			false,
			"still shows its capabilities",
		},
		"no such route, 405": {
			mockserver.Fault{Route: route, Status: 405, Body: notFound},
			false,
			false,
			`deletion_policy = "keep"`,
		},
		"a gateway's page": {
			mockserver.Fault{Route: route, Status: 404, Body: "<html>404</html>"},
			true,
			false,
			"does not prove",
		},
		"refused": {
			mockserver.Fault{Route: route, Status: 409, Body: `{"error":"training_active"}`},
			false,
			false,
			"training_active",
		},
		"no success": {
			mockserver.Fault{Route: route, Status: 200, Body: `{"success":false,"message":"not now"}`},
			false,
			false,
			"Not now",
		},
		"without a body":       {mockserver.Fault{Route: route, Status: 204, AfterWork: true}, false, true, ""},
		"a failure, then done": {mockserver.Fault{Route: route, Nth: 1, Status: 503}, false, true, ""},
	}, func(t *testing.T, test row) {
		s := newExtended(t)
		s.Applies(ada, core.Object{"name": "Ada"})
		if test.removed {
			s.RemoveCharacter(characterIDs(s)[0])
		}
		s.Fault(test.fault)
		said := s.Apply(core.Destroying(), core.Refresh(false)).Diagnostics
		check.True(
			t,
			"gone, or an error",
			(s.State(ada) == nil) == test.gone && said.HasErrors() != test.gone,
			test.gone,
			said,
		)
		if test.says != "" {
			s.WantError(said, "Unable to Delete Character", test.says)
		}
		s.ClearFaults()
		s.Destroy().Must()
		check.Equal(t, "characters left", len(characterIDs(s)), 0)
	})
}

// Fault F13.
func TestDeletionByAnotherCredential(t *testing.T) {
	t.Parallel()
	const stranger = "strangers-api-key-0123456789"
	s := newExtended(t)
	s.AddOrganization(stranger, "org_other")
	s.Applies(ada, core.Object{"name": "Ada"})
	s.Set(core.Object{"api_key": stranger})
	said := s.Apply(core.Destroying(), core.Refresh(false)).Diagnostics
	check.True(t, "a stranger's 404 is no deletion", said.HasErrors() && s.State(ada) != nil, said)
}
