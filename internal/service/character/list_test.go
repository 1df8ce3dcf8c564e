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
	type row struct {
		characters int
		query      core.Query
		results    int
		requests   int
	}
	check.Each(t, map[string]row{
		"a thousand":           {1000, core.Query{Limit: 5000}, 1000, 10},
		"five of a thousand":   {1000, core.Query{Limit: 5}, 5, 1},
		"a page":               {1000, core.Query{}, 100, 1},
		"one more than a page": {1000, core.Query{Limit: 101}, 101, 2},
		"as many as there are": {100, core.Query{Limit: 100}, 100, 1},
		"none":                 {0, core.Query{}, 0, 1},
		"by name, all pages":   {1000, core.Query{Config: core.Object{"name_contains": "r 77"}}, 11, 10},
		"by name, until the limit": {
			1000,
			core.Query{Config: core.Object{"name_contains": "CHARACTER 1"}, Limit: 3},
			3,
			1,
		},
	}, func(t *testing.T, test row) {
		service := acctest.NewService(t)
		for i := range test.characters {
			service.AddCharacter(mockserver.CharacterSeed{Name: fmt.Sprintf("Character %d", i)})
		}
		results, messages := service.Scenario(t).Query("mediagen_character", test.query)
		check.True(t, "no message", len(messages) == 0, messages)
		check.Equal(t, "results", len(results), test.results)
		service.WantCount(t, mockserver.RouteCharacters, test.requests)
		service.WantCount(t, mockserver.RouteToken, 1)
	})
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
	ada := results[0].DisplayName
	none := results[1]
	long := results[2].DisplayName
	check.True(
		t,
		"the names",
		ada == "Ada[31m Eve" && none.DisplayName == "char_000002" && len(long) <= 210,
		results,
	)
}

func TestListedTextsCanBeConfigured(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	texts := map[string]bool{
		"Ada":      true,
		"":         false,
		" \n":      false,
		`{"a": 1}`: false,
		"[1, 2]":   false,
		`"quoted"`: true,
		"12":       true,
		"{a}":      true,
		"null":     true,
	}
	for text := range texts {
		service.AddCharacter(mockserver.CharacterSeed{Name: text, Description: text})
	}
	results, messages := service.Scenario(t).Query("mediagen_character", core.Query{IncludeResource: true})
	check.True(t, "all are listed", len(messages) == 0 && len(results) == len(texts), results, messages)
	for _, result := range results {
		seed, _ := service.Character(result.Identity["id"].(string))
		for _, attribute := range []string{"name", "description"} {
			kept := result.Resource[attribute] == seed.Name
			check.True(
				t,
				"what is listed",
				kept == texts[seed.Name] && (kept || result.Resource[attribute] == nil),
				seed.Name,
				attribute,
			)
		}
		check.True(t, "there is a display name", result.DisplayName != "", seed.Name)
	}
}

func TestListsThatFail(t *testing.T) {
	t.Parallel()
	const characters, images, noCharacters, noImages = "mediagen_character", "mediagen_face_image", "Unable to List " +
		"Characters", "Unable to List Face Images"
	of := func(id string) core.Query { return core.Query{Config: core.Object{"character_id": id}} }
	type row struct {
		list    string
		query   core.Query
		fault   mockserver.Fault
		summary string
		at      string
	}
	check.Each(t, map[string]row{
		"third page": {
			characters,
			core.Query{Limit: 1000},
			mockserver.Fault{Route: mockserver.RouteCharacters, About: "offset=200", Status: 501},
			noCharacters,
			"",
		},
		"pages that do not add up": {
			characters,
			core.Query{Limit: 1000},
			mockserver.Fault{
				Route: mockserver.RouteCharacters,
				About: "offset=200",
				Rewrite: func(page map[string]any) {
					page["characters"] = []any{}
				},
			},
			noCharacters,
			"",
		},
		"no such character": {images, of("char_999999"), mockserver.Fault{}, noImages, "character_id"},
		"a dot segment":     {images, of(".."), mockserver.Fault{}, "Invalid Value", "character_id"},
		"no character": {
			images,
			core.Query{},
			mockserver.Fault{},
			"Missing Configuration for Required Attribute",
			"character_id",
		},
		"assets refused": {
			images,
			of("char_000001"),
			mockserver.Fault{Route: mockserver.RouteAssets, Status: 403, Body: `{"error":"forbidden"}`},
			noImages,
			"",
		},
	}, func(t *testing.T, test row) {
		service := acctest.NewService(t)
		for range 250 {
			service.AddCharacter(mockserver.CharacterSeed{FaceImages: 1})
		}
		if test.fault.Route != "" {
			service.Fault(test.fault)
		}
		_, messages := service.Scenario(t).Query(test.list, test.query)
		errors := messages.Errors()
		check.True(
			t,
			"one error",
			len(errors) == 1 && strings.Contains(errors[0].Summary, test.summary) && errors[0].Path == test.at,
			test,
			messages,
		)
	})
}

func TestIncompleteAssetsAreListedWithAWarning(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	id := service.AddCharacter(mockserver.CharacterSeed{FaceImages: 3})
	service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(list map[string]any) {
		delete(list["assets"].([]any)[0].(map[string]any), "asset_id")
		list["total"] = 4
	}})
	results, messages := service.Scenario(t).
		Query("mediagen_face_image", core.Query{Config: core.Object{"character_id": id}, Limit: 2})
	check.True(
		t,
		"two images and a warning",
		len(results) == 2 && len(messages) == 1 && len(messages.Warnings().Find("Asset List Incomplete")) == 1,
		results,
		messages,
	)
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
		list["assets"] = append(assets, assets[0], assets[2])
		list["total"] = len(assets)
	}})
	results, messages := service.Scenario(t).Query("mediagen_face_image", query)
	check.True(t, "three images", len(results) == 3 && len(messages) == 0, results, messages)
	service.ClearFaults()
	service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(list map[string]any) {
		assets := list["assets"].([]any)
		assets[1] = assets[0]
	}})
	results, messages = service.Scenario(t).Query("mediagen_face_image", query)
	check.True(
		t,
		"two images and a warning",
		len(results) == 2 && len(messages.Warnings().Find("Asset List Incomplete")) == 1,
		results,
		messages,
	)
}

func TestListsNeedAKnownConfiguration(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	w := core.New(t, service.Provider, core.Object{"base_url": service.URL, "api_key": core.Unknown})
	_, messages := w.Query("mediagen_character", core.Query{})
	check.True(t, "the one error", len(messages.Errors().Find("Provider Configuration Not Known Yet")) == 1, messages)
	service.WantNoRequests(t)
}

func read(t *testing.T, w *acctest.Scenario, name string, config core.Object) core.Object {
	t.Helper()
	result, messages := w.DataSource(name, config)
	check.True(t, name+" is read", !messages.HasErrors(), messages)
	return result
}

func TestCharacterByName(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t)
	var ids []string
	for i := range 150 {
		ids = append(ids, service.AddCharacter(mockserver.CharacterSeed{Name: fmt.Sprintf("Character %d", i)}))
	}
	service.AddCharacter(mockserver.CharacterSeed{Name: "Character 0"})
	w := service.Scenario(t)
	check.Equal[any](
		t,
		"Character 149",
		read(t, w, "mediagen_character", core.Object{"name": "Character 149"})["id"],
		ids[149],
	)
	for name, says := range map[string]string{
		"Character 0": ids[0],
		"character 7": "Not Found",
		"Character":   "Not Found",
	} {
		_, messages := w.DataSource("mediagen_character", core.Object{"name": name})
		w.WantMessage(messages.Errors(), "name", says)
	}
}

func TestCharacterByID(t *testing.T) {
	t.Parallel()
	_, id, w := newWorkspace(t)
	got := read(t, w, "mediagen_character", core.Object{"id": id})
	check.True(t, "what is read", got["name"] == "Ada" && got["face_images_count"] == int64(2), got)
	_, messages := w.DataSource("mediagen_character", core.Object{"id": "char_none"})
	w.WantMessage(messages.Errors(), "id", "Not Found")
}

func TestCharactersInPages(t *testing.T) {
	t.Parallel()
	type row struct {
		config   core.Object
		requests int
		first    string
		count    int
		more     bool
	}
	check.Each(t, map[string]row{
		"all":              {core.Object{}, 3, "Character 0", 250, false},
		"limit":            {core.Object{"limit": 10}, 1, "Character 0", 10, true},
		"offset":           {core.Object{"offset": 245}, 1, "Character 245", 5, false},
		"limit and offset": {core.Object{"limit": 2, "offset": 100}, 1, "Character 100", 2, true},
	}, func(t *testing.T, test row) {
		service := acctest.NewService(t)
		for i := range 250 {
			service.AddCharacter(mockserver.CharacterSeed{Name: fmt.Sprintf("Character %d", i)})
		}
		got := read(t, service.Scenario(t), "mediagen_characters", test.config)
		service.WantCount(t, mockserver.RouteCharacters, test.requests)
		characters, _ := got["characters"].([]any)
		check.True(
			t,
			"the characters",
			len(characters) == test.count && core.Lookup(got, "characters[0].name") == test.first,
			test,
			characters,
		)
		check.Equal[any](t, "has_more", core.Lookup(got, "pagination.has_more"), test.more)
		check.Equal[any](t, "returned", core.Lookup(got, "pagination.returned"), int64(test.count))
		check.True(t, "the organization is there", core.Lookup(got, "filters.organization_id") != nil)
	})
}

// Fault F9.
func TestCharactersOfAnIncompleteList(t *testing.T) {
	t.Parallel()
	service, _, w := newWorkspace(t)
	service.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Rewrite: func(reply map[string]any) {
		reply["pagination"].(map[string]any)["has_more"] = true
	}})
	for _, name := range []string{"mediagen_characters", "mediagen_character"} {
		config := core.Object{}
		if name == "mediagen_character" {
			config["name"] = "Ada"
		}
		_, messages := w.DataSource(name, config)
		w.WantMessage(messages.Errors(), "", "incomplete")
	}
}

func TestCapabilitiesWithoutLoRAs(t *testing.T) {
	t.Parallel()
	service, id := newAda(t)
	service.Fault(mockserver.Fault{Route: mockserver.RouteCapabilities, Rewrite: func(reply map[string]any) {
		delete(reply, "face_lora")
		reply["body_lora"] = nil
	}})
	got := read(t, service.Scenario(t), "mediagen_generation_capabilities", core.Object{"character_id": id})
	for _, path := range []string{"face_lora", "body_lora"} {
		lora, isObject := got[path].(core.Object)
		check.True(t, path+" is an object of nulls", isObject && lora["available"] == nil, got[path])
	}
}

// A deployment that refuses the filter is asked with it once a run. Fault F41.
func TestListedImagesWithoutAFilter(t *testing.T) {
	t.Parallel()
	service := acctest.NewService(t, func(o *mockserver.Options) { o.Variant.RefuseFilters = true })
	id := service.AddCharacter(mockserver.CharacterSeed{FaceImages: 3, BodyImages: 2})
	w := service.Scenario(t)
	results, messages := w.Query("mediagen_face_image", core.Query{Config: core.Object{"character_id": id}})
	check.True(t, "the face images", len(results) == 3 && len(messages) == 0, results, messages)
	service.WantCount(t, mockserver.RouteAssets, 2)
	service.ResetJournal()
	read, messages := w.DataSource("mediagen_assets", core.Object{"character_id": id, "asset_type": "body_image"})
	check.True(t, "the body images", len(read["assets"].([]any)) == 2 && len(messages) == 0, read, messages)
	service.WantCount(t, mockserver.RouteAssets, 2)
	service.Fault(mockserver.Fault{Route: mockserver.RouteAssets, Rewrite: func(list map[string]any) {
		assets, _ := list["assets"].([]any) // none where the filter is refused
		for _, asset := range assets {
			delete(asset.(map[string]any), "asset_type")
		}
	}})
	_, messages = w.DataSource("mediagen_assets", core.Object{"character_id": id, "asset_type": "body_image"})
	w.WantError(messages, "Unable to Read Assets", "refuses to filter by asset_type")
}
