package generation_test

import (
	"context"
	"maps"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

// An object of a configuration, of any members.
func object(members map[string]attr.Value) types.Object {
	kinds := map[string]attr.Type{}
	for name, member := range members {
		kinds[name] = member.Type(context.Background())
	}
	return types.ObjectValueMust(kinds, members)
}

func text(value string) types.String { return types.StringValue(value) }

func whole(value int64) types.Number { return types.NumberValue(new(big.Float).SetInt64(value)) }

// callPrompts calls the function as a CLI does.
func callPrompts(t *testing.T, wanted attr.Value, defaults ...attr.Value) (attr.Value, *function.FuncError) {
	t.Helper()
	given := []attr.Value{}
	kinds := []attr.Type{}
	for _, value := range defaults {
		given = append(given, types.DynamicValue(value))
		kinds = append(kinds, types.DynamicType)
	}
	arguments := function.NewArgumentsData([]attr.Value{
		types.DynamicValue(wanted),
		types.TupleValueMust(kinds, given),
	})
	resp := function.RunResponse{Result: function.NewResultData(types.DynamicUnknown())}
	generation.Functions[0]().Run(t.Context(), function.RunRequest{Arguments: arguments}, &resp)
	result, _ := resp.Result.Value().(types.Dynamic)
	return result.UnderlyingValue(), resp.Error
}

// prompt is one of a result, with these options.
func prompt(options map[string]attr.Value) types.Object {
	values := map[string]attr.Value{
		"prompt":           types.StringNull(),
		"face_swap":        types.BoolNull(),
		"use_face_lora":    types.BoolNull(),
		"use_body_lora":    types.BoolNull(),
		"source_image_url": types.StringNull(),
		"take":             types.Int64Null(),
	}
	maps.Copy(values, options)
	return object(values)
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	type row struct {
		prompts  attr.Value
		defaults []attr.Value
		want     map[string]types.Object
	}
	type options = map[string]attr.Value
	unknown := types.DynamicUnknown()
	check.Each(t, map[string]row{
		"a text is a prompt": {
			prompts: object(options{"town": text("a town")}),
			want:    map[string]types.Object{"town": prompt(options{"prompt": text("a town")})},
		},
		"a map of texts": {
			prompts: types.MapValueMust(types.StringType, options{"town": text("a town")}),
			want:    map[string]types.Object{"town": prompt(options{"prompt": text("a town")})},
		},
		"texts beside objects": {
			prompts: object(options{
				"sea":  object(options{"prompt": text("the sea"), "take": whole(2)}),
				"town": text("a town"),
			}),
			want: map[string]types.Object{
				"sea":  prompt(options{"prompt": text("the sea"), "take": types.Int64Value(2)}),
				"town": prompt(options{"prompt": text("a town")}),
			},
		},
		"defaults, and a prompt that has its own": {
			prompts: object(options{
				"sea":  object(options{"prompt": text("the sea"), "face_swap": types.BoolValue(false)}),
				"town": text("a town"),
			}),
			defaults: []attr.Value{object(options{
				"face_swap": types.BoolValue(true),
				"prefix":    text("In oil: "),
				"suffix":    text(", at dawn"),
			})},
			want: map[string]types.Object{
				"sea": prompt(
					options{"prompt": text("In oil: the sea, at dawn"), "face_swap": types.BoolValue(false)},
				),
				"town": prompt(options{"prompt": text("In oil: a town, at dawn"), "face_swap": types.BoolValue(true)}),
			},
		},
		"of two defaults the later counts": {
			prompts: object(options{"town": text("a town")}),
			defaults: []attr.Value{
				object(options{"take": whole(2), "suffix": text("!")}),
				object(options{"take": whole(3)}),
			},
			want: map[string]types.Object{
				"town": prompt(options{"prompt": text("a town!"), "take": types.Int64Value(3)}),
			},
		},
		"null is not set": {
			prompts: object(options{"town": object(options{
				"prompt":    text("a town"),
				"face_swap": types.BoolNull(),
				"take":      types.DynamicNull(),
			})}),
			defaults: []attr.Value{object(options{"face_swap": types.BoolValue(true), "suffix": types.StringNull()})},
			want: map[string]types.Object{
				"town": prompt(options{"prompt": text("a town"), "face_swap": types.BoolValue(true)}),
			},
		},
		"what was read from CSV": {
			prompts: object(options{"town": types.MapValueMust(types.StringType, options{
				"prompt":    text("a town"),
				"take":      text("2"),
				"face_swap": text("true"),
			})}),
			want: map[string]types.Object{"town": prompt(options{
				"prompt":    text("a town"),
				"take":      types.Int64Value(2),
				"face_swap": types.BoolValue(true),
			})},
		},
		"an edit of a photo gets no text": {
			prompts:  object(options{"town": object(options{"source_image_url": text("https://photo")})}),
			defaults: []attr.Value{object(options{"suffix": text(", at dawn")})},
			want:     map[string]types.Object{"town": prompt(options{"source_image_url": text("https://photo")})},
		},
		"what is unknown stays unknown by itself": {
			prompts: object(options{
				"sea":  object(options{"prompt": unknown, "take": unknown}),
				"town": types.StringUnknown(),
				"wood": unknown,
			}),
			defaults: []attr.Value{object(options{"suffix": text("!"), "face_swap": unknown})},
			want: map[string]types.Object{
				"sea": prompt(options{
					"prompt":    types.StringUnknown(),
					"take":      types.Int64Unknown(),
					"face_swap": types.BoolUnknown(),
				}),
				"town": prompt(options{"prompt": types.StringUnknown(), "face_swap": types.BoolUnknown()}),
				"wood": types.ObjectUnknown(prompt(nil).AttributeTypes(t.Context())),
			},
		},
		"unknown defaults": {
			prompts:  object(options{"town": text("a town")}),
			defaults: []attr.Value{unknown},
			want: map[string]types.Object{
				"town": types.ObjectUnknown(prompt(nil).AttributeTypes(t.Context())),
			},
		},
		"no defaults, and null ones": {
			prompts:  object(options{"town": text("a town")}),
			defaults: []attr.Value{types.DynamicNull()},
			want:     map[string]types.Object{"town": prompt(options{"prompt": text("a town")})},
		},
		"an unknown suffix": {
			prompts:  object(options{"town": text("a town")}),
			defaults: []attr.Value{object(options{"suffix": types.StringUnknown()})},
			want:     map[string]types.Object{"town": prompt(options{"prompt": types.StringUnknown()})},
		},
	}, func(t *testing.T, test row) {
		got, err := callPrompts(t, test.prompts, test.defaults...)
		if err != nil {
			t.Fatal(err)
		}
		found, _ := got.(types.Map)
		check.Equal(t, "keys", len(found.Elements()), len(test.want))
		for key, want := range test.want {
			check.True(t, key, want.Equal(found.Elements()[key]), found.Elements()[key])
		}
	})
}

// Each error names the place and what there is, and quotes no text.
func TestPromptsRefuses(t *testing.T) {
	t.Parallel()
	type row struct {
		prompts  attr.Value
		defaults []attr.Value
		argument int64
		says     string
	}
	type options = map[string]attr.Value
	town := func(given options) types.Object { return object(options{"town": object(given)}) }
	check.Each(t, map[string]row{
		"an option that no prompt has": {
			prompts: town(options{"prompt": text("hush"), "negative_prompt": text("hush")}),
			says: `prompts["town"].negative_prompt: the service has no such option; it has prompt, face_swap, ` +
				`use_face_lora, use_body_lora, source_image_url, take`,
		},
		"a misspelt one": {
			prompts: town(options{"promt": text("hush")}),
			says:    "take. Did you mean prompt?",
		},
		"a misspelt default": {
			prompts:  town(options{"prompt": text("hush")}),
			defaults: []attr.Value{object(options{"sufix": text("hush")})},
			argument: 1,
			says:     "defaults.sufix: the service has no such option; it has prompt, face_swap",
		},
		"a prefix of one prompt": {
			prompts: town(options{"prompt": text("hush"), "prefix": text("hush")}),
			says:    `prompts["town"].prefix: the service has no such option`,
		},
		"no number": {
			prompts: town(options{"prompt": text("hush"), "take": text("hush")}),
			says:    `prompts["town"].take: it must be a whole number`,
		},
		"half a take": {
			prompts: town(options{"take": types.NumberValue(big.NewFloat(1.5))}),
			says:    `prompts["town"].take: it must be a whole number`,
		},
		"no truth": {
			prompts: town(options{"face_swap": text("hush")}),
			says:    `prompts["town"].face_swap: it must be true or false`,
		},
		"no text": {
			prompts: town(options{"prompt": object(options{"text": text("hush")})}),
			says:    `prompts["town"].prompt: it must be a text`,
		},
		"a null prompt": {
			prompts: object(options{"town": types.StringNull()}),
			says:    `prompts["town"] is null`,
		},
		"a number for a prompt": {
			prompts: object(options{"town": whole(7)}),
			says:    `prompts["town"] must be a text, or an object`,
		},
		"a list of prompts": {
			prompts: types.TupleValueMust([]attr.Type{types.StringType}, []attr.Value{text("hush")}),
			says:    "The prompts must be a map or an object",
		},
		"a text of defaults": {
			prompts:  town(options{"prompt": text("hush")}),
			defaults: []attr.Value{text("hush")},
			argument: 1,
			says:     "defaults must be an object",
		},
		"a misspelt option beside unknown defaults": {
			prompts:  town(options{"promt": text("hush")}),
			defaults: []attr.Value{types.DynamicUnknown()},
			says:     "Did you mean prompt?",
		},
		"two at once": {
			prompts: object(
				options{"sea": object(options{"a": text("hush")}), "town": object(options{"b": text("hush")})},
			),
			says: `prompts["town"].b: the service has no such option`,
		},
	}, func(t *testing.T, test row) {
		_, err := callPrompts(t, test.prompts, test.defaults...)
		if err == nil {
			t.Fatal("it is accepted")
		}
		check.Equal(t, "the argument", *err.FunctionArgument, test.argument)
		check.True(t, "what it says", strings.Contains(err.Text, test.says), err.Text)
		check.True(t, "what it quotes", !strings.Contains(err.Text, "hush"), err.Text)
		check.True(t, "the end, which the CLI writes", !strings.HasSuffix(err.Text, "."), err.Text)
	})
}

// An unknown map has unknown keys: nothing of it is known.
func TestPrompts_unknownAsAWhole(t *testing.T) {
	t.Parallel()
	for _, unknown := range []attr.Value{types.DynamicUnknown(), types.MapUnknown(types.StringType)} {
		got, err := callPrompts(t, unknown)
		check.True(t, "no error", err == nil, err)
		check.True(t, "the map", got != nil && got.IsUnknown(), got)
	}
}
