package character_test

import (
	"fmt"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// badIDs cannot be ids of the service.
var badIDs = []string{"", " ", "char_1 ", "\tchar_1", ".", "..", "char\n1", "char\x001"}

// Fault F26.
func TestInvalidInputsSendNothing(t *testing.T) {
	t.Parallel()
	type input struct {
		address string
		config  core.Object
		path    string
	}
	inputs := []input{
		{ada, core.Object{"id": "char_1", "name": ""}, "name"},
		{ada, core.Object{"id": "char_1", "name": " \t"}, "name"},
		{ada, core.Object{"id": "char_1", "name": "A\x00da"}, "name"},
		{ada, core.Object{"id": "char_1", "description": "\x00"}, "description"},
		{image, core.Object{"character_id": "char_1", "source": ""}, "source"},
		{image, core.Object{"character_id": "char_1", "source": "a\x00b"}, "source"},
		{image, core.Object{"character_id": "char_1", "source": "front.png", "filename": " "}, "filename"},
		{image, core.Object{"character_id": "char_1", "source": "front.png", "filename": "a\x00"}, "filename"},
		{image, core.Object{"character_id": "char_1"}, "source"},
	}
	for _, id := range badIDs {
		inputs = append(inputs,
			input{ada, core.Object{"id": id}, "id"},
			input{image, core.Object{"character_id": id, "source": "front.png"}, "character_id"})
	}
	for i, test := range inputs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			service := acctest.NewService(t)
			w := service.Scenario(t)
			w.Resource(test.address, test.config)
			if messages := w.Apply().Diagnostics; len(messages.Errors().At(test.path)) == 0 {
				t.Errorf("%q is not refused on %s; the messages:\n%s", test.config, test.path, messages)
			}
			service.WantNoRequests(t)
		})
	}
}

func TestInvalidDataSourcesSendNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		source string
		config core.Object
		paths  []string // one of them is blamed
	}{
		"neither id nor name": {"mediagen_character", core.Object{}, []string{"id", "name"}},
		"id and name":         {"mediagen_character", core.Object{"id": "char_1", "name": "Ada"}, []string{"id", "name"}},
		"bad id":              {"mediagen_character", core.Object{"id": ".."}, []string{"id"}},
		"blank name":          {"mediagen_character", core.Object{"name": " "}, []string{"name"}},
		"limit 0":             {"mediagen_characters", core.Object{"limit": 0}, []string{"limit"}},
		"limit 101":           {"mediagen_characters", core.Object{"limit": 101}, []string{"limit"}},
		"offset -1":           {"mediagen_characters", core.Object{"offset": -1}, []string{"offset"}},
		"assets of .":         {"mediagen_assets", core.Object{"character_id": "."}, []string{"character_id"}},
		"blank asset type":    {"mediagen_assets", core.Object{"character_id": "char_1", "asset_type": ""}, []string{"asset_type"}},
		"capabilities of ''":  {"mediagen_generation_capabilities", core.Object{"character_id": ""}, []string{"character_id"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := acctest.NewService(t)
			_, messages := service.Scenario(t).DataSource(test.source, test.config)
			blamed := 0
			for _, path := range test.paths {
				blamed += len(messages.Errors().At(path))
			}
			if blamed == 0 {
				t.Errorf("none of %v is blamed; the messages:\n%s", test.paths, messages)
			}
			service.WantNoRequests(t)
		})
	}
}

func TestInvalidImportsSendNothing(t *testing.T) {
	t.Parallel()
	type attempt struct {
		name  string
		adopt func(*acctest.Scenario) *core.Result
	}
	var attempts []attempt
	for _, id := range badIDs {
		if id != "" { // the CLI asks for one
			attempts = append(attempts, attempt{"character " + id, func(w *acctest.Scenario) *core.Result { return w.Import(ada, id) }})
		}
		attempts = append(attempts, attempt{"identity " + id, func(w *acctest.Scenario) *core.Result {
			return w.ImportIdentity(ada, core.Object{"id": id})
		}}, attempt{"image " + id, func(w *acctest.Scenario) *core.Result {
			return w.Import(image, "char_1/"+id)
		}}, attempt{"image of " + id, func(w *acctest.Scenario) *core.Result {
			return w.ImportIdentity(image, core.Object{"character_id": id, "id": "asset_1"})
		}})
	}
	attempts = append(attempts, attempt{"no slash", func(w *acctest.Scenario) *core.Result { return w.Import(image, "asset_1") }})
	for _, test := range attempts {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			service := acctest.NewService(t)
			w := service.Scenario(t)
			w.Resource(ada, core.Object{"id": "char_1"})
			w.Resource(image, core.Object{"character_id": "char_1", "source": "front.png"})
			if messages := test.adopt(w).Diagnostics; len(messages.Errors().Find("Invalid Import Id")) == 0 {
				t.Errorf("the import is not refused; the messages:\n%s", messages)
			}
			service.WantNoRequests(t)
		})
	}
}
