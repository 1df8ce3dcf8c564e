package generation_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

type axes map[string][]string

// fill calls the function as a CLI does. An error comes with the number of the
// argument that it is about.
func fill(t *testing.T, template string, values axes) (map[string]string, int64, error) {
	t.Helper()
	axes, diags := types.MapValueFrom(t.Context(), types.ListType{ElemType: types.StringType}, values)
	check.True(t, "the axes", !diags.HasError(), diags)
	arguments := function.NewArgumentsData([]attr.Value{types.StringValue(template), axes})
	resp := function.RunResponse{Result: function.NewResultData(types.MapUnknown(types.StringType))}
	generation.Functions[1]().Run(t.Context(), function.RunRequest{Arguments: arguments}, &resp)
	if resp.Error != nil {
		return nil, *resp.Error.FunctionArgument, resp.Error
	}
	prompts := map[string]string{}
	diags = resp.Result.Value().(types.Map).ElementsAs(t.Context(), &prompts, false)
	check.True(t, "a map of texts", !diags.HasError(), diags)
	return prompts, 0, nil
}

func TestPromptMatrix(t *testing.T) {
	t.Parallel()
	type row struct {
		template string
		axes     axes
		want     map[string]string
	}
	check.Each(t, map[string]row{
		"two axes, keys in the template's order": {
			"Portrait {place}, {light}",
			axes{"light": {"red light", "Dawn"}, "place": {"on a stage"}},
			map[string]string{
				"on-a-stage-red-light": "Portrait on a stage, red light",
				"on-a-stage-dawn":      "Portrait on a stage, Dawn",
			},
		},
		"a placeholder twice":      {"{b}{a}{b}", axes{"a": {"1"}, "b": {"x"}}, map[string]string{"x-1": "x1x"}},
		"braces":                   {"{{a}} {{{a}}} {{}}", axes{"a": {"x"}}, map[string]string{"x": "{a} {x} {}"}},
		"values are not templates": {"{a} {b}", axes{"a": {"{b}"}, "b": {"x"}}, map[string]string{"b-x": "{b} x"}},
		"an axis without values":   {"{a} {b}", axes{"a": {}, "b": {"x"}}, map[string]string{}},
		"a value that adds nothing": {
			"{who}{style}", axes{"who": {"Ada"}, "style": {"", ", in oil"}},
			map[string]string{"ada": "Ada", "ada-in-oil": "Ada, in oil"},
		},
		"other scripts": {
			"{a}",
			axes{"a": {"Zürich, Été", "北京 の夜", "ПОРТРЕТ №5", "हिन्दी"}},
			map[string]string{
				"zürich-été": "Zürich, Été",
				"北京-の夜":      "北京 の夜",
				"портрет-5":  "ПОРТРЕТ №5",
				"हिन्दी":     "हिन्दी",
			},
		},
		"an odd name": {"{the place}", axes{"the place": {"x"}}, map[string]string{"x": "x"}},
		"newlines":    {"one\n{a}\n", axes{"a": {"x\ny"}}, map[string]string{"x-y": "one\nx\ny\n"}},
	}, func(t *testing.T, test row) {
		got, _, err := fill(t, test.template, test.axes)
		check.Must(t, err)
		check.Equal(t, "prompts", got, test.want)
	})
}

// No error quotes a text, which may be sensitive.
func TestPromptMatrixRefuses(t *testing.T) {
	t.Parallel()
	const template, values = 0, 1
	many := strings.Split(strings.Repeat("x ", 101), " ")
	type row struct {
		template string
		axes     axes
		argument int64
		says     string
	}
	check.Each(t, map[string]row{
		"unused axis":           {"{a}", axes{"a": {"x"}, "b": {"y"}}, values, `axis "b" is not used`},
		"unknown placeholder":   {"{a} {c}", axes{"a": {"x"}}, template, "placeholder 2 names no axis"},
		"blanks in it":          {"{ a }", axes{"a": {"x"}}, template, "placeholder 1 names no axis"},
		"empty placeholder":     {"{} {a}", axes{"a": {"x"}}, template, "placeholder 1 names no axis"},
		"no placeholder":        {"a", axes{}, template, "no placeholder"},
		"empty template":        {"", axes{"a": {"x"}}, template, "no placeholder"},
		"doubled key":           {"{a}", axes{"a": {"x!", "X"}}, values, `same key "x"`},
		"doubled key of joins":  {"{a}{b}", axes{"a": {"x-y", "x"}, "b": {"z", "y z"}}, values, `same key "x-y-z"`},
		"no letters":            {"{a}", axes{"a": {"!"}}, values, "no letter or digit"},
		"brace not closed":      {"{a", axes{"a": {"x"}}, template, "{ without a }"},
		"brace within":          {"{b{a}", axes{"a": {"x"}}, template, "{ without a }"},
		"brace not opened":      {"a}{a}", axes{"a": {"x"}}, template, "} without a {"},
		"too many combinations": {"{a}{b}", axes{"a": many, "b": many}, values, "more than 10000"},
	}, func(t *testing.T, test row) {
		got, argument, err := fill(t, test.template+" hush", test.axes)
		if err == nil || argument != test.argument || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "hush") ||
			strings.HasSuffix(err.Error(), ".") {
			t.Errorf(
				"got %v, blamed on argument %d: %v; want argument %d to be blamed: %s",
				got,
				argument,
				err,
				test.argument,
				test.says,
			)
		}
	})
}

// FuzzPromptMatrix checks that no template can crash it, and that braces
// doubled are braces.
func FuzzPromptMatrix(f *testing.F) {
	f.Add("{a} {{b}} }", "x", "ÿ́-y")
	f.Fuzz(func(t *testing.T, text, first, second string) {
		_, _, _ = fill(t, text, axes{"a": {first, second}})
		escaped := strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
		got, _, err := fill(t, escaped+"{a}", axes{"a": {"x"}})
		check.True(
			t,
			"the text as it is",
			err == nil && maps.Equal(got, map[string]string{"x": text + "x"}),
			text,
			got,
			err,
		)
	})
}
