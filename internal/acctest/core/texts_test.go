package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

func TestLookup(t *testing.T) {
	t.Parallel()
	object := core.Object{
		"id": "x", "later": core.Unknown, "list": []any{"a", core.Object{"b": int64(1)}},
		"map": core.Object{"a key": core.Object{"text": "A"}, `quoted "key"`: true},
	}
	for path, expected := range map[string]any{
		"":                        object,
		"id":                      "x",
		"nothing":                 nil,
		"nothing.below":           nil,
		"later":                   core.Unknown,
		`later["a"].id`:           core.Unknown,
		"list[0]":                 "a",
		"list[1].b":               int64(1),
		"list[2]":                 nil,
		`map["a key"].text`:       "A",
		`map["quoted \"key\""]`:   true,
		`map["a key"].text.below`: nil,
	} {
		check.Equal(t, path, core.Lookup(object, path), expected)
	}
}

func TestUnknownIDs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config   core.Object
		applied  bool
		expected []string
	}{
		"a creation": {
			core.Object{"parts": parts(map[string]string{"b": "B", "a": "A"})},
			false,
			[]string{"id", `parts["a"].id`, `parts["b"].id`},
		},
		"all known": {core.Object{"parts": parts(map[string]string{"kept": "K"})}, true, nil},
		"an update": {
			core.Object{"parts": parts(map[string]string{"kept": "K", "a": "A"})},
			true,
			[]string{`parts["a"].id`, `parts["kept"].id`},
		},
		"all keys unknown": {core.Object{"parts": core.Unknown}, true, []string{"parts"}},
		"those of a list":  {core.Object{"rows": []any{core.Object{"text": "A"}}}, true, nil},
		"an unknown list":  {core.Object{"rows": core.Unknown}, true, nil},
		"what has no id":   {core.Object{"options": core.Unknown, "label": core.Unknown}, true, nil},
	} {
		_, w := newWorkspace(t)
		if test.applied {
			w.Resource(one, core.Object{"name": "n", "parts": parts(map[string]string{"kept": "K"})})
			w.Apply().Must()
		}
		test.config["name"] = "n"
		w.Resource(one, test.config)
		plan := w.Plan().Must()
		check.Equal(t, name, plan.UnknownIDs(one), test.expected)
		check.Equal(t, "another address", plan.UnknownIDs(two), []string(nil))
	}
	part := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String}}
	made := tftypes.NewValue(
		tftypes.Map{ElementType: part},
		map[string]tftypes.Value{"a": tftypes.NewValue(part, tftypes.UnknownValue)},
	)
	check.Equal(t, "a wholly unknown key", core.UnknownIDs(made), []string{`["a"]`})
}

func TestAPlanSaysWhatChanges(t *testing.T) {
	t.Parallel()
	_, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n", "parts": parts(map[string]string{"a": "A"})})
	w.Apply().Must()
	w.Resource(one, core.Object{"name": "m", "parts": parts(map[string]string{"a": "B"})})
	text := w.Plan().String()
	for _, expected := range []string{
		"toy_thing.one: replace\n", "# name forces replacement\n",
		`~ parts.a.text: "A" -> "B"`, `~ id: "t1" -> (known after apply)`,
	} {
		check.True(t, "the plan says", strings.Contains(text, expected), expected, text)
	}
}

type failingTest struct {
	testing.TB
	message string
}

func (f *failingTest) Helper() {}

func (f *failingTest) Fatal(values ...any) {
	f.message = fmt.Sprint(values...)
	panic(f)
}

func (f *failingTest) Fatalf(format string, values ...any) { f.Fatal(fmt.Sprintf(format, values...)) }

func TestMistakesOfATestFailIt(t *testing.T) {
	t.Parallel()
	toy := newToy()
	for expected, mistake := range map[string]func(*core.Workspace){
		"no such attribute": func(w *core.Workspace) { w.Resource(one, core.Object{"nme": "n"}) },
		`parts["a"].text: want`: func(w *core.Workspace) {
			w.Resource(one, core.Object{"parts": core.Object{"a": core.Object{"text": 1}}})
		},
		"want a map": func(w *core.Workspace) {
			w.Resource(one, core.Object{"parts": core.UnknownUntilApply("x")})
		},
		"want a slice":             func(w *core.Workspace) { w.Resource(one, core.Object{"rows": "x"}) },
		"no resource type":         func(w *core.Workspace) { w.Resource("toy_none.one", nil) },
		"is not an address":        func(w *core.Workspace) { w.Import("toy_thing", "t1") },
		"region: want":             func(w *core.Workspace) { w.Provider(core.Object{"region": true}) },
		"no data source":           func(w *core.Workspace) { w.DataSource("toy_none", nil) },
		"the plan failed":          func(w *core.Workspace) { w.Resource(one, nil); w.Plan().Must() },
		"the apply failed":         func(w *core.Workspace) { w.Resource(one, nil); w.Apply().Must() },
		"Missing Configuration fo": func(w *core.Workspace) { w.Resource(one, nil); w.Plan().Must() },
	} {
		failing := &failingTest{TB: t}
		func() {
			defer func() {
				if recovered := recover(); recovered != nil && recovered != failing {
					panic(recovered)
				}
			}()
			mistake(core.New(failing, toy.serve, nil))
		}()
		check.True(t, "the failure says", strings.Contains(failing.message, expected), failing.message, expected)
	}
}
