package character_test

import (
	"fmt"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// read reads a data source and fails the test at once if that failed.
func read(t *testing.T, w *acctest.Scenario, name string, config core.Object) core.Object {
	t.Helper()
	result, messages := w.DataSource(name, config)
	if messages.HasErrors() {
		t.Fatalf("%s: %s", name, messages)
	}
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
	if got := read(t, w, "mediagen_character", core.Object{"name": "Character 149"}); got["id"] != ids[149] {
		t.Errorf("Character 149 is %v, want %s", got["id"], ids[149])
	}
	for name, says := range map[string]string{"Character 0": ids[0], "character 7": "Not Found", "Character": "Not Found"} {
		_, messages := w.DataSource("mediagen_character", core.Object{"name": name})
		w.WantMessage(messages.Errors(), "name", says)
	}
}

func TestCharacterByID(t *testing.T) {
	t.Parallel()
	_, id, w := newWorkspace(t)
	if got := read(t, w, "mediagen_character", core.Object{"id": id}); got["name"] != "Ada" || got["face_images_count"] != int64(2) {
		t.Errorf("read %v", got)
	}
	_, messages := w.DataSource("mediagen_character", core.Object{"id": "char_none"})
	w.WantMessage(messages.Errors(), "id", "Not Found")
}

func TestCharactersInPages(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config   core.Object
		requests int
		first    string
		count    int
		more     bool
	}{
		"all":              {core.Object{}, 3, "Character 0", 250, false},
		"limit":            {core.Object{"limit": 10}, 1, "Character 0", 10, true},
		"offset":           {core.Object{"offset": 245}, 1, "Character 245", 5, false},
		"limit and offset": {core.Object{"limit": 2, "offset": 100}, 1, "Character 100", 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := acctest.NewService(t)
			for i := range 250 {
				service.AddCharacter(mockserver.CharacterSeed{Name: fmt.Sprintf("Character %d", i)})
			}
			got := read(t, service.Scenario(t), "mediagen_characters", test.config)
			service.WantCount(t, mockserver.RouteCharacters, test.requests)
			if characters, _ := got["characters"].([]any); len(characters) != test.count || core.Lookup(got, "characters[0].name") != test.first {
				t.Errorf("read %d characters from %v on, want %d from %s on", len(characters), core.Lookup(got, "characters[0].name"), test.count, test.first)
			}
			if more := core.Lookup(got, "pagination.has_more"); more != test.more {
				t.Errorf("has_more is %v, want %t", more, test.more)
			}
			if returned := core.Lookup(got, "pagination.returned"); returned != int64(test.count) {
				t.Errorf("returned is %v, want %d", returned, test.count)
			}
			check.True(t, "the organization is there", core.Lookup(got, "filters.organization_id") != nil)
		})
	}
}

// Fault F9.
func TestCharactersOfAnIncompleteList(t *testing.T) {
	t.Parallel()
	service, _ := newAda(t)
	service.Fault(mockserver.Fault{Route: mockserver.RouteCharacters, Rewrite: func(reply map[string]any) {
		reply["pagination"].(map[string]any)["has_more"] = true
	}})
	w := service.Scenario(t)
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
		if lora, ok := got[path].(core.Object); !ok || lora["available"] != nil {
			t.Errorf("%s is %v, want an object of nulls", path, got[path])
		}
	}
}
