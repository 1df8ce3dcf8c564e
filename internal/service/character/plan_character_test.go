package character_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	overwrites = "Adoption Overwrites Character"
	twice      = "Character Adopted Twice"
	keepOne    = "Keep one of the resources"
	gone       = "Character Is Gone"
	notFound   = "Character Not Found"
)

func wantSilence(t *testing.T, plan *core.Plan) {
	t.Helper()
	check.True(t, "the plan says nothing", len(plan.Must().Diagnostics) == 0, plan.Diagnostics)
}

func TestPlanNamesWhatAnAdoptionOverwrites(t *testing.T) {
	t.Parallel()
	type row struct {
		config core.Object
		says   []string
	}
	check.Each(t, map[string]row{
		"name": {
			core.Object{"name": "Ada L."},
			[]string{"leave name out", "Pulumi"},
		},
		"description": {
			core.Object{"description": "sings"},
			[]string{"To keep the description of character"},
		},
		"both": {
			core.Object{"name": "Ada L.", "description": ""},
			[]string{"To keep the name and description of character"},
		},
		"nothing":             {core.Object{}, nil},
		"the same":            {core.Object{"name": "Ada", "description": "counts\r\n"}, nil},
		"not known yet":       {core.Object{"name": core.UnknownUntilApply("Ada L.")}, nil},
		"an id not known yet": {core.Object{"id": core.UnknownUntilApply("char_000001"), "name": "Ada L."}, nil},
	}, func(t *testing.T, test row) {
		service, id, w := newWorkspace(t)
		if test.config["id"] == nil {
			test.config["id"] = id
		}
		w.Resource(ada, test.config)
		plan := w.Plan()
		if test.says == nil {
			wantSilence(t, plan)
		}
		for _, text := range test.says {
			w.WantMessage(plan.Must().Warnings(), "", text)
			w.WantMessage(plan.Warnings(), "", overwrites)
		}
		service.WantCount(t, mockserver.RouteUpdate, 0)
		w.ApplyPlan(plan).Must()
		w.Plan().Must().WantEmpty()
	})
}

// A replacement overwrites the other character. For the create, the CLI ignores
// warnings from its second call on, so the first has to warn.
func TestPlanNamesWhatAReplacementOverwrites(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	other := service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
	w.Applies(ada, core.Object{"id": id, "name": "Ada"})
	w.WantMessage(
		w.Plans(ada, core.Object{"id": other, "name": "Ada"}).Warnings(),
		"",
		overwrites,
	)
}

// Fault F26.
func TestPlanRefusesUnknownCharacters(t *testing.T) {
	t.Parallel()
	service, id := newAda(t)
	grace := service.AddCharacter(mockserver.CharacterSeed{ID: "7e9b4f60-grace", Name: "Grace Hopper"})
	for wanted, similar := range map[string]string{
		strings.ToUpper(id):     fmt.Sprintf(`%q`, id),
		"7e9b4f60-grase":        fmt.Sprintf(`%q`, grace),
		"grace hoper":           fmt.Sprintf(`%q`, grace),
		"something else at all": "",
	} {
		w := service.Scenario(t)
		service.ResetJournal()
		w.Resource(ada, core.Object{"id": wanted})
		messages := w.Plan().Diagnostics
		w.WantMessage(messages.Errors(), "id", wanted)
		w.WantMessage(messages.Errors(), "id", notFound)
		if similar != "" {
			w.WantMessage(messages.Errors(), "id", similar)
		}
		check.True(
			t,
			"whether something is similar",
			strings.Contains(messages.String(), "similar") == (similar != ""),
			wanted,
			messages,
		)
		service.WantCount(t, mockserver.RouteCharacters, 1)
		service.WantCount(t, mockserver.RouteCapabilities, 1)
		service.WantCount(t, "", 3)
	}
}

func TestDataSourcesNameSimilarCharacters(t *testing.T) {
	t.Parallel()
	_, id, w := newWorkspace(t)
	for attribute, wanted := range map[string]string{"id": id + "0", "name": "ade"} {
		_, messages := w.DataSource("mediagen_character", core.Object{attribute: wanted})
		w.WantMessage(messages.Errors(), attribute, fmt.Sprintf("%q", id))
	}
}

func TestOnlyTheNearestIsNamed(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	for _, name := range []string{"Adela", "Adel", "Adeline", "Ada", "Adele!", "Bob"} {
		service.AddCharacter(mockserver.CharacterSeed{ID: name, Name: name})
	}
	w := service.Scenario(t)
	_, messages := w.DataSource("mediagen_character", core.Object{"name": "Adele"})
	w.WantMessage(messages.Errors(), "name", `A similar character is "Adela".`)
}

// What a plan cannot read, or what proves nothing, is left to the apply.
// Fault F13.
func TestPlanWithoutReadsIsSilent(t *testing.T) {
	t.Parallel()
	down := func(s *acctest.Service) { s.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Status: 503}) }
	odd := func(s *acctest.Service) {
		s.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Rewrite: func(reply map[string]any) {
			reply["characters"] = []any{}
			reply["pagination"].(map[string]any)["has_more"] = true
		}})
	}
	gateway := func(s *acctest.Service) {
		s.RemoveCharacter("char_000001")
		s.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: "<html>404</html>"})
	}
	type row struct {
		settings core.Object // besides base_url
		happen   func(*acctest.Service)
		requests map[string]int
	}
	check.Each(t, map[string]row{
		"a wrong credential": {
			core.Object{"access_token": "wrong-token-0123456789"},
			nil,
			map[string]int{mockserver.RouteCharacters: 1},
		},
		"not known yet": {core.Object{"api_key": core.UnknownUntilApply(acctest.APIKey)}, nil, nil},
		"the service is down": {
			core.Object{"api_key": acctest.APIKey},
			down,
			map[string]int{mockserver.RouteToken: 1, mockserver.RouteCharacters: 1},
		},
		"an incomplete list": {
			core.Object{"api_key": acctest.APIKey},
			odd,
			map[string]int{mockserver.RouteToken: 1, mockserver.RouteCharacters: 1},
		},
		"a gateway": {
			core.Object{"api_key": acctest.APIKey}, gateway,
			map[string]int{mockserver.RouteToken: 1, mockserver.RouteCharacters: 1, mockserver.RouteCapabilities: 1},
		},
	}, func(t *testing.T, test row) {
		service, id, w := newWorkspace(t)
		if test.happen != nil {
			test.happen(service)
		}
		test.settings["base_url"] = service.URL
		w.Workspace.Provider(test.settings)
		w.Resource(ada, core.Object{"id": id, "name": "Ada L."})
		w.Resource("mediagen_character.other", core.Object{"id": id + "0", "name": "Eve"})
		wantSilence(t, w.Plan(core.Refresh(false)))
		total := 0
		for route, count := range test.requests {
			service.WantCount(t, route, count)
			total += count
		}
		service.WantCount(t, "", total)
	})
}

// The apply repeats a read that failed at plan, with retries. Fault F2.
func TestApplyReadsWhatThePlanCouldNot(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	w.Resource(ada, core.Object{"id": id, "name": "Ada L."})
	service.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Nth: 1, Times: 4, Status: 503})
	plan := w.Plan()
	wantSilence(t, plan)
	service.WantCount(t, mockserver.RouteCharacters, 1)
	// The apply plans once more, in vain, and then has its own retries.
	w.ApplyPlan(plan).Must()
	service.WantCount(t, mockserver.RouteCharacters, 1+1+3)
	service.WantCount(t, mockserver.RouteUpdate, 1)
}

// A destroy begins with a normal plan, so that an error in it would block every
// destroy.
func TestCharacterThatARefreshDroppedBlocksNoDestroy(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	other := service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
	w.Resource(ada, core.Object{"id": id})
	w.Applies("mediagen_character.grace", core.Object{"id": other})
	service.RemoveCharacter(id)
	service.ResetJournal()
	plan := w.Plan().Must()
	w.WantWarning(plan.Diagnostics, gone, id)
	service.WantCount(t, mockserver.RouteCharacters, 2)
	w.Destroy().Must()
	check.True(t, "destroy leaves nothing", len(w.Addresses()) == 0, w.Addresses())
}

// Whatever two resources of a character say of it, one of them is too many.
func TestTwoResourcesOfOneCharacter(t *testing.T) {
	t.Parallel()
	type row struct {
		one, other core.Object
		says       string
	}
	check.Each(t, map[string]row{
		"other names": {core.Object{"name": "Ada"}, core.Object{"name": "Eve"}, ": name."},
		"other descriptions": {
			core.Object{"description": "counts"},
			core.Object{"description": "sings"},
			": description.",
		},
		"both": {
			core.Object{"name": "Ada", "description": "counts"},
			core.Object{"name": "Eve", "description": ""},
			": name and description.",
		},
		"the same texts": {
			core.Object{"name": "Ada", "description": "counts"},
			core.Object{"name": "Ada ", "description": "counts\n"},
			keepOne,
		},
		"one leaves it open": {core.Object{"name": "Ada"}, core.Object{}, keepOne},
		"one text each":      {core.Object{"name": "Ada"}, core.Object{"description": "counts"}, keepOne},
		"no text":            {core.Object{}, core.Object{}, keepOne},
		"one deletes":        {core.Object{"deletion_policy": "delete"}, core.Object{}, keepOne},
	}, func(t *testing.T, test row) {
		_, id, w := newWorkspace(t)
		test.one["id"] = id
		test.other["id"] = id
		w.Resource(ada, test.one)
		w.Resource("mediagen_character.other", test.other)
		for range 2 { // also of those that exist
			plan := w.Plan().Must()
			check.Equal(t, "warnings of two", len(plan.Diagnostics.Find(twice)), 1)
			w.WantMessage(plan.Warnings(), "", test.says)
			w.WantSilent(w.ApplyPlan(plan).Must().Diagnostics, twice)
		}
	})
}

// A resource that is replaced is planned twice.
func TestOneResourceOfACharacterIsNotTwo(t *testing.T) {
	t.Parallel()
	service, id, w := newWorkspace(t)
	other := service.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
	w.Resource(ada, core.Object{"id": id, "name": "Ada", "description": "counts"})
	w.Resource("mediagen_character.grace", core.Object{"id": other, "name": "Grace", "description": ""})
	wantSilence(t, w.Plan())
	w.Apply().Must()
	w.Resource(ada, core.Object{"id": id, "name": "Ada L.", "description": "counts"})
	w.WantSilent(w.Plan(core.Replacing(ada)).Must().Diagnostics, twice)
	w.Resource(ada, core.Object{"id": other})
	w.Resource("mediagen_character.grace", core.Object{"id": id})
	w.WantSilent(w.Plan().Must().Diagnostics, twice)
}

// A reference to a character that is made is another resource of it, once its id is known.
func TestResourceOfACreatedCharacter(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	s.Applies(ada, core.Object{"name": "Ada"})
	s.Resource("mediagen_character.other", core.Object{"id": s.Value(ada, "id")})
	check.Equal(t, "warnings of two", len(s.Plan().Must().Diagnostics.Find(twice)), 1)
	s.Remove(ada)
	s.WantSilent(s.Plan().Must().Diagnostics, twice)
}

// A replacement without a refresh may be planned by an apply that the CLI then
// stops, as OpenTofu does: the character is not deleted then.
func TestCharacter_replacementThatMayNotHappen(t *testing.T) {
	t.Parallel()
	s := newExtended(t)
	other := s.AddCharacter(mockserver.CharacterSeed{Name: "Grace"})
	s.Applies(ada, core.Object{"name": "Ada", "deletion_policy": "delete"})
	s.Resource(ada, core.Object{"id": other, "deletion_policy": "delete"})
	s.ResetJournal()
	unsure := s.Plan(core.Refresh(false)).Must()
	check.Equal(t, "the action", unsure.Action(ada), core.Replace)
	s.WantSilent(unsure.Diagnostics, deletes)
	s.WantWarning(unsure.Diagnostics, "Plan Deletes Character: character ", "inconsistent final plan", "not deleted")
	s.WantCount(t, mockserver.RouteDeleteCharacter, 0)
	s.WantWarning(s.Plan().Must().Diagnostics, deletes)
	s.WantWarning(s.Plan(core.Destroying(), core.Refresh(false)).Must().Diagnostics, deletes)
}
