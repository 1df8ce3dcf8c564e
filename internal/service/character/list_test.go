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

func TestListCharacters(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		characters int
		query      core.Query
		results    int
		requests   int
	}{
		"a thousand":               {1000, core.Query{Limit: 5000}, 1000, 10},
		"five of a thousand":       {1000, core.Query{Limit: 5}, 5, 1},
		"a page":                   {1000, core.Query{}, 100, 1},
		"one more than a page":     {1000, core.Query{Limit: 101}, 101, 2},
		"as many as there are":     {100, core.Query{Limit: 100}, 100, 1},
		"none":                     {0, core.Query{}, 0, 1},
		"by name, all pages":       {1000, core.Query{Config: core.Object{"name_contains": "r 77"}}, 11, 10},
		"by name, until the limit": {1000, core.Query{Config: core.Object{"name_contains": "CHARACTER 1"}, Limit: 3}, 3, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := acctest.NewService(t)
			for i := range test.characters {
				service.AddCharacter(mockserver.CharacterSeed{Name: fmt.Sprintf("Character %d", i)})
			}
			results, messages := service.Scenario(t).Query("mediagen_character", test.query)
			if len(messages) > 0 {
				t.Fatal(messages)
			}
			check.Equal(t, "results", len(results), test.results)
			service.WantCount(t, mockserver.RouteCharacters, test.requests)
			service.WantCount(t, mockserver.RouteToken, 1)
		})
	}
}

// A name comes from whoever made the character, and ends in a terminal.
func TestListedNamesAreTame(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	for _, name := range []string{"Ada\x1b[31m\r\nEve\u202e", "\x07", strings.Repeat("long ", 1000)} {
		service.AddCharacter(mockserver.CharacterSeed{Name: name})
	}
	results, messages := service.Scenario(t).Query("mediagen_character", core.Query{})
	if len(messages) > 0 || len(results) != 3 {
		t.Fatalf("%v\n%s", results, messages)
	}
	if ada, none, long := results[0].DisplayName, results[1], results[2].DisplayName; ada != "Ada [31m Eve" || none.DisplayName != none.Identity["id"] || len(long) > 210 {
		t.Errorf("the names are %q, %q and %q", ada, none.DisplayName, long)
	}
}

func TestListedTextsCanBeConfigured(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	texts := map[string]bool{
		"Ada": true, "": false, " \n": false, `{"a": 1}`: false, "[1, 2]": false, `"quoted"`: true, "12": true, "{a}": true, "null": true,
	}
	for text := range texts {
		service.AddCharacter(mockserver.CharacterSeed{Name: text, Description: text})
	}
	results, messages := service.Scenario(t).Query("mediagen_character", core.Query{IncludeResource: true})
	if len(messages) > 0 || len(results) != len(texts) {
		t.Fatalf("%v\n%s", results, messages)
	}
	for _, result := range results {
		seed, _ := service.Character(result.Identity["id"].(string))
		for _, attribute := range []string{"name", "description"} {
			if kept := result.Resource[attribute] == seed.Name; kept != texts[seed.Name] || !kept && result.Resource[attribute] != nil {
				t.Errorf("%q is listed with the %s %v", seed.Name, attribute, result.Resource[attribute])
			}
		}
		check.True(t, "there is a display name", result.DisplayName != "", seed.Name)
	}
}

func TestListsThatFail(t *testing.T) {
	t.Parallel()
	images := core.Query{Config: core.Object{"character_id": "char_000001"}}
	for name, test := range map[string]struct {
		list    string
		query   core.Query
		fault   mockserver.Fault
		summary string
		at      string
	}{
		"third page": {
			list: "mediagen_character", query: core.Query{Limit: 1000},
			fault:   mockserver.Fault{Route: mockserver.RouteCharacters, Nth: 3, Status: 501},
			summary: "Unable to List Characters",
		},
		"pages that do not add up": {
			list: "mediagen_character", query: core.Query{Limit: 1000},
			fault: mockserver.Fault{Route: mockserver.RouteCharacters, Nth: 3, Rewrite: func(page map[string]any) {
				page["characters"] = []any{}
			}},
			summary: "Unable to List Characters",
		},
		"no such character": {
			list: "mediagen_face_image", query: core.Query{Config: core.Object{"character_id": "char_999999"}},
			summary: "Unable to List Face Images", at: "character_id",
		},
		"a dot segment": {
			list: "mediagen_face_image", query: core.Query{Config: core.Object{"character_id": ".."}},
			summary: "Invalid Value", at: "character_id",
		},
		"no character": {
			list: "mediagen_face_image", summary: "Missing Configuration for Required Attribute", at: "character_id",
		},
		"assets refused": {
			list: "mediagen_face_image", query: images,
			fault:   mockserver.Fault{Route: mockserver.RouteAssets, Status: 403, Body: `{"error":"forbidden"}`},
			summary: "Unable to List Face Images",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := acctest.NewService(t)
			for range 250 {
				service.AddCharacter(mockserver.CharacterSeed{FaceImages: 1})
			}
			if test.fault.Route != "" {
				service.Fault(test.fault)
			}
			_, messages := service.Scenario(t).Query(test.list, test.query)
			if found := messages.Errors().Find(test.summary); len(found) != 1 || len(messages.Errors()) != 1 || found[0].Path != test.at {
				t.Errorf("want one error %q at %q, got:\n%s", test.summary, test.at, messages)
			}
		})
	}
}

func TestIncompleteAssetsAreListedWithAWarning(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	id := service.AddCharacter(mockserver.CharacterSeed{FaceImages: 3})
	service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(list map[string]any) {
		delete(list["assets"].([]any)[0].(map[string]any), "asset_id")
		list["total"] = 4
	}})
	results, messages := service.Scenario(t).Query("mediagen_face_image", core.Query{Config: core.Object{"character_id": id}, Limit: 2})
	check.True(t, "two images and a warning", len(results) == 2 && len(messages) == 1 && len(messages.Warnings().Find("Asset List Incomplete")) == 1, results, messages)
}

// An asset that a service repeats is one image, or it would be imported twice;
// if one is repeated, another may be missing.
func TestRepeatedAssetsAreListedOnce(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	id := service.AddCharacter(mockserver.CharacterSeed{FaceImages: 3})
	query := core.Query{Config: core.Object{"character_id": id}}
	service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(list map[string]any) {
		assets := list["assets"].([]any)
		list["assets"], list["total"] = append(assets, assets[0], assets[2]), len(assets)
	}})
	if results, messages := service.Scenario(t).Query("mediagen_face_image", query); len(results) != 3 || len(messages) > 0 {
		t.Errorf("want three images, got %v\n%s", results, messages)
	}
	service.ClearFaults()
	service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(list map[string]any) {
		assets := list["assets"].([]any)
		assets[1] = assets[0]
	}})
	results, messages := service.Scenario(t).Query("mediagen_face_image", query)
	check.True(t, "two images and a warning", len(results) == 2 && len(messages.Warnings().Find("Asset List Incomplete")) == 1, results, messages)
}

func TestListsNeedAKnownConfiguration(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	w := core.New(t, service.Provider, core.Object{"base_url": service.URL, "api_key": core.Unknown})
	if _, messages := w.Query("mediagen_character", core.Query{}); len(messages.Errors().Find("Provider Configuration Not Known Yet")) != 1 {
		t.Errorf("got:\n%s", messages)
	}
	service.WantNoRequests(t)
}
