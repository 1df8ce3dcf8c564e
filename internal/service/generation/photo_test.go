package generation_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// photos is a group of photo edits without texts.
func (s scenario) photos(addresses map[string]string) {
	prompts := core.Object{}
	for key, address := range addresses {
		prompts[key] = core.Object{"source_image_url": address}
	}
	s.Resource(groupAddress, core.Object{"prompts": prompts})
}

// showAddresses makes the service show something else as the text of each photo
// edit.
func (s scenario) showAddresses(as func(address string) any) {
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Times: 100, Rewrite: func(status map[string]any) {
		made, _ := s.Generation(status["generation_id"].(string))
		status["prompt"] = as(made.SourceImageURL)
	}})
}

// A text that is not set is not sent, and the purchase log says so.
func TestPhoto_needsNoText(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"https://images.example.com/chair.jpg", "data:image/png;base64,iVBORw0KGgo="} {
		s := newScenario(t)
		path := filepath.Join(t.TempDir(), "log")
		s.Set(core.Object{"purchase_log": path})
		s.photos(map[string]string{"a": address})
		s.buys([]string{"id", `generations["a"]`}, 1)
		s.Want(groupAddress, core.Object{`prompts["a"].prompt`: nil, `generations["a"].succeeded`: true})
		sent := fmt.Sprintf(`{"source_image_url":%q}`, address)
		check.Equal(t, "sent", string(s.Requests(mockserver.RouteBatch)[0].Body), `{"prompts":[`+sent+`]}`)
		check.Equal[any](
			t,
			"logged",
			booked(t, path, 2)[0]["prompts"],
			map[string]any{"a": fmt.Sprintf("%x", sha256.Sum256([]byte(sent)))},
		)
		s.Plan().Must().WantEmpty()
	}
}

// What the service would be told nothing of is refused, also if that shows at
// apply. Fault F26.
func TestPhoto_orTextIsNeeded(t *testing.T) {
	t.Parallel()
	later := core.UnknownUntilApply
	type row struct {
		prompt core.Object
		early  bool
	}
	check.Each(t, map[string]row{
		"neither":       {core.Object{"face_swap": true}, true},
		"unknown text":  {core.Object{"prompt": later(nil)}, false},
		"unknown photo": {core.Object{"source_image_url": later(nil)}, false},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		s.group(nil, core.Object{"prompts": core.Object{"a": core.Object{"prompt": "A"}, "b": test.prompt}})
		errors := s.Validate().Errors()
		check.Equal(t, "it is refused early", len(errors) == 1, test.early)
		if !test.early {
			errors = s.ApplyPlan(s.Plan().Must()).Diagnostics.Errors()
		}
		s.WantError(
			errors.At(`prompts["b"]`),
			"Invalid Value",
			`prompts["b"] has neither prompt nor source_image_url, and needs one of them.`,
		)
		s.WantCount(t, mockserver.RouteBatch, 0)
	})
}

// Where the reply does not tell whose a generation is, the photo's address is
// compared with what the service shows as the text. Fault F5.
func TestPhoto_isSettledByItsAddress(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	photos := map[string]string{
		"a": "https://images.example.com/chair.jpg",
		"b": "https://images.example.com/table.jpg",
	}
	s.photos(photos)
	s.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Rewrite: func(reply map[string]any) {
		results := reply["results"].([]any)
		slices.Reverse(results)
		for _, result := range results {
			delete(result.(map[string]any), "prompt_index")
		}
	}})
	s.showAddresses(func(address string) any { return address })
	s.Apply().Must()
	for key, address := range photos {
		made, _ := s.Generation(s.idOf(key))
		check.Equal(t, key, made.SourceImageURL, address)
	}
}

// The text of an imported photo edit is none, or whatever the service shows of
// it. A key that was renamed is recognised by the photo's address alone.
// Fault F28.
func TestPhoto_isImported(t *testing.T) {
	t.Parallel()
	const chair, table = "https://images.example.com/chair.jpg", "https://images.example.com/table.jpg"
	as := func(text any) func(string) any { return func(string) any { return text } }
	type row struct {
		shown  func(address string) any // as the text of each
		keys   map[string]string
		bought []string
	}
	check.Each(t, map[string]row{
		"the same keys":          {as(""), map[string]string{"a": chair, "b": table}, nil},
		"the same keys, no text": {as(nil), map[string]string{"a": chair, "b": table}, nil},
		"a renamed key": {
			as(""),
			map[string]string{"a": chair, "c": table},
			[]string{`generations["c"]`},
		},
		"a renamed key, and its address": {
			func(address string) any { return address },
			map[string]string{"a": chair, "c": table},
			nil,
		},
		"a text": {
			as("A"),
			map[string]string{"a": chair, "b": table},
			[]string{`generations["a"]`, `generations["b"]`},
		},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		s.photos(map[string]string{"a": chair, "b": table})
		s.Apply().Must()
		ids := map[string]string{"a": s.idOf("a"), "b": s.idOf("b")}
		s.Forget(groupAddress)
		s.showAddresses(test.shown)
		s.photos(test.keys)
		s.Import(groupAddress, importID(ids)).Must()
		check.Equal(t, "bought", s.Plan().Must().UnknownIDs(groupAddress), test.bought)
	})
}

// What a flag asks for without a character is the service's to judge.
func TestGroup_loraWithoutACharacterIsSent(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Resource(
		groupAddress,
		core.Object{
			"prompts": core.Object{"a": core.Object{"prompt": "A", "use_face_lora": true, "use_body_lora": true}},
		},
	)
	s.WantWarning(s.Apply().Must().Diagnostics, "Generations Failed", "the body LoRA is not available")
	check.Equal(
		t,
		"sent",
		string(s.Requests(mockserver.RouteBatch)[0].Body),
		`{"prompts":[{"prompt":"A","use_face_lora":true,"use_body_lora":true}]}`,
	)
	s.Plan().Must().WantEmpty()
}
