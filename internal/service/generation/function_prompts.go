package generation

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// promptsFunction is the function prompts. It exists because a CLI drops
// unknown nested attributes before the provider can see them: a prompt with a
// misspelt option would be paid for without a warning. A function sees every
// option.
type promptsFunction struct{}

// The positions of its arguments.
const (
	promptsArgument int64 = iota
	defaultsArgument
)

// The parts of defaults that are not options of a prompt: they surround its
// text.
const (
	prefixOption = "prefix"
	suffixOption = "suffix"
	textOption   = "prompt"
)

func (promptsFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "prompts"
}

func (promptsFunction) Definition(
	_ context.Context,
	_ function.DefinitionRequest,
	resp *function.DefinitionResponse,
) {
	resp.Definition = function.Definition{
		Summary: "Prompts of a group, checked and completed",
		MarkdownDescription: "Returns the `prompts` of a generation group, each with the options that `defaults` " +
			"gives to all. An option that no prompt has is an error, such as a misspelt one: a CLI drops it from a " +
			"plain map without a word, and the prompt is bought without it.\n\n" +
			"Texts stand for prompts: `town = \"a town\"` is `{ prompt = \"a town\" }`. What is null counts as not " +
			"set, and what only the apply knows stays unknown by itself.",
		Parameters: []function.Parameter{
			function.DynamicParameter{
				Name:               "prompts",
				AllowUnknownValues: true,
				MarkdownDescription: "Map or object of prompts by key: objects with the options of a prompt, or " +
					"texts.",
			},
		},
		VariadicParameter: function.DynamicParameter{
			Name:               "defaults",
			AllowUnknownValues: true,
			AllowNullValue:     true,
			MarkdownDescription: "Objects with options for the prompts that do not set them. `prefix` and `suffix` " +
				"are put around the text of each prompt as they are. Of several objects, a later one counts first.",
		},
		Return: function.DynamicReturn{},
	}
}

func (promptsFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var wanted types.Dynamic
	var defaults []types.Dynamic
	resp.Error = req.Arguments.Get(ctx, &wanted, &defaults)
	if resp.Error != nil {
		return
	}
	completed, err := complete(wanted, defaults)
	if err != nil {
		resp.Error = err
		return
	}
	resp.Error = resp.Result.Set(ctx, types.DynamicValue(completed))
}

// complete returns the map of prompts. The map is unknown as a whole only if
// the given prompts are, keys included.
func complete(wanted types.Dynamic, defaults []types.Dynamic) (attr.Value, *function.FuncError) {
	objectType := promptElements.elementType()
	common, problems := defaultOptions(defaults)
	if len(problems) > 0 {
		return nil, wrongArgument(defaultsArgument, problems)
	}
	elements, isObject := membersOf(wanted)
	switch {
	case isUnknown(wanted):
		return types.MapUnknown(objectType), nil
	case !isObject:
		return nil, function.NewArgumentFuncError(
			promptsArgument,
			"The prompts must be a map or an object, with a key for each of them",
		)
	}
	mayGiveAnything := slices.ContainsFunc(defaults, func(given types.Dynamic) bool { return isUnknown(given) })
	completed := map[string]attr.Value{}
	for _, key := range prompts.SortedKeys(elements) {
		prompt, found := completeOne(fmt.Sprintf("prompts[%q]", key), elements[key], common)
		problems = append(problems, found...)
		if mayGiveAnything {
			prompt = types.ObjectUnknown(objectType.AttrTypes)
		}
		completed[key] = prompt
	}
	if len(problems) > 0 {
		return nil, wrongArgument(promptsArgument, problems)
	}
	return types.MapValueMust(objectType, completed), nil
}

// wrongArgument returns an error, which the CLI ends with a full stop.
func wrongArgument(argument int64, problems []string) *function.FuncError {
	return function.NewArgumentFuncError(argument, framework.Several(problems, ".\n"))
}

// defaultOptions returns the options that the defaults give to every prompt.
func defaultOptions(defaults []types.Dynamic) (common map[string]attr.Value, problems []string) {
	common = map[string]attr.Value{}
	for i, given := range defaults {
		place := "defaults"
		if len(defaults) > 1 {
			place = fmt.Sprintf("defaults[%d]", i)
		}
		options, isObject := membersOf(given)
		if !isObject && !isNull(given) && !isUnknown(given) {
			problems = append(problems, place+" must be an object with options")
			continue
		}
		for _, name := range prompts.SortedKeys(options) {
			value, problem := optionOf(place, name, options[name], []string{prefixOption, suffixOption})
			switch {
			case problem != "":
				problems = append(problems, problem)
			case !value.IsNull():
				common[name] = value
			}
		}
	}
	return common, problems
}

// completeOne returns a prompt, completed with the options of the defaults.
func completeOne(place string, given attr.Value, common map[string]attr.Value) (attr.Value, []string) {
	objectType := promptElements.elementType()
	given = within(given)
	options, isObject := membersOf(given)
	_, isText := given.(basetypes.StringValuable)
	switch {
	case given.IsNull():
		return nil, []string{place + " is null. Leave its key out instead"}
	case isText:
		options = map[string]attr.Value{textOption: given}
	case given.IsUnknown():
		return types.ObjectUnknown(objectType.AttrTypes), nil
	case !isObject:
		return nil, []string{place + " must be a text, or an object with the options of a prompt"}
	}
	values := map[string]attr.Value{}
	for _, attribute := range promptElements.attributes {
		values[attribute.name] = nullOf(attribute.schema.GetType())
		if value, has := common[attribute.name]; has {
			values[attribute.name] = value
		}
	}
	var problems []string
	for _, name := range prompts.SortedKeys(options) {
		value, problem := optionOf(place, name, options[name], nil)
		switch {
		case problem != "":
			problems = append(problems, problem)
		case !value.IsNull():
			values[name] = value
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	values[textOption] = surround(values[textOption], common[prefixOption], common[suffixOption])
	return types.ObjectValueMust(objectType.AttrTypes, values), nil
}

// surround puts the prefix and the suffix around a text. A photo edit without a
// text keeps none.
func surround(text, prefix, suffix attr.Value) attr.Value {
	if text.IsNull() {
		return text
	}
	var joined strings.Builder
	for _, part := range []attr.Value{prefix, text, suffix} {
		known, _ := part.(types.String)
		if known.IsUnknown() {
			return types.StringUnknown()
		}
		joined.WriteString(known.ValueString())
	}
	return types.StringValue(joined.String())
}

// optionOf returns an option with the type that the group takes, or the problem
// with it.
func optionOf(place, name string, given attr.Value, also []string) (value attr.Value, problem string) {
	if slices.Contains(also, name) {
		return convertOption(place, name, given, types.StringType)
	}
	for _, attribute := range promptElements.attributes {
		if attribute.name == name {
			return convertOption(place, name, given, attribute.schema.GetType())
		}
	}
	has := slices.Concat(optionNames(), also)
	problem = fmt.Sprintf("%s.%s: the service has no such option; it has %s", place, name, strings.Join(has, ", "))
	if near := similarName(name, has); near != "" {
		problem += fmt.Sprintf(". Did you mean %s?", near)
	}
	return nil, problem
}

// optionNames returns the names of a prompt's options, in the order of the
// schema.
func optionNames() (names []string) {
	for _, attribute := range promptElements.attributes {
		names = append(names, attribute.name)
	}
	return names
}

// similarName returns the name that was probably meant by a misspelt name;
// empty if none is similar.
func similarName(misspelt string, names []string) (near string) {
	const enough = 0.6
	best := enough
	for _, name := range names {
		if likeness := levenshtein.Match(misspelt, name, nil); likeness > best {
			best = likeness
			near = name
		}
	}
	return near
}

// convertOption converts a value to the option's type, with a CLI's rules for
// an attribute: a list that was read from CSV has only texts.
func convertOption(place, name string, given attr.Value, want attr.Type) (value attr.Value, problem string) {
	given = within(given)
	switch {
	case given.IsUnknown():
		return unknownOf(want), ""
	case given.IsNull():
		return nullOf(want), ""
	}
	isConverted := false
	what := "a text"
	text, isScalar := scalarText(given)
	switch want {
	case types.StringType:
		value = types.StringValue(text)
		isConverted = isScalar
	case types.BoolType:
		what = "true or false"
		value = types.BoolValue(text == "true")
		isConverted = isScalar && (text == "true" || text == "false")
	case types.Int64Type:
		what = "a whole number"
		number, err := strconv.ParseInt(text, 10, 64)
		value = types.Int64Value(number)
		isConverted = isScalar && err == nil
	}
	if !isConverted {
		return nil, fmt.Sprintf("%s.%s: it must be %s", place, name, what)
	}
	return value, ""
}

// scalarText writes a known text, number or truth value in the form that a CLI
// uses.
func scalarText(value attr.Value) (text string, isScalar bool) {
	switch value := value.(type) {
	case types.String:
		return value.ValueString(), true
	case types.Bool:
		return strconv.FormatBool(value.ValueBool()), true
	case types.Number:
		return numberText(value.ValueBigFloat()), true
	}
	return "", false
}

func numberText(number *big.Float) string {
	if number.IsInt() {
		whole, _ := number.Int(nil)
		return whole.String()
	}
	return number.Text('g', -1)
}

func nullOf(want attr.Type) attr.Value {
	switch want {
	case types.BoolType:
		return types.BoolNull()
	case types.Int64Type:
		return types.Int64Null()
	}
	return types.StringNull()
}

func unknownOf(want attr.Type) attr.Value {
	switch want {
	case types.BoolType:
		return types.BoolUnknown()
	case types.Int64Type:
		return types.Int64Unknown()
	}
	return types.StringUnknown()
}

// within returns the value inside a dynamic value.
func within(value attr.Value) attr.Value {
	dynamic, isDynamic := value.(types.Dynamic)
	if isDynamic && dynamic.UnderlyingValue() != nil {
		return dynamic.UnderlyingValue()
	}
	return value
}

func isUnknown(value attr.Value) bool { return within(value).IsUnknown() }

func isNull(value attr.Value) bool { return within(value).IsNull() }

// membersOf returns the members of a known map or object, by key.
func membersOf(value attr.Value) (members map[string]attr.Value, isObject bool) {
	switch value := within(value).(type) {
	case types.Map:
		return value.Elements(), !value.IsNull() && !value.IsUnknown()
	case types.Object:
		return value.Attributes(), !value.IsNull() && !value.IsUnknown()
	}
	return nil, false
}
