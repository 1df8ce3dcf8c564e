package core

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Object is a block of configuration or an object of state, as plain Go
// values: nil, bool, string, int64, float64, []any and Object.
type Object = map[string]any

type unknown string

// Unknown in a configuration is a value that stays unknown, so that it can only
// be planned. In a plan it is a value that is known after apply.
const Unknown unknown = "(known after apply)"

type pending struct{ value any }

// UnknownUntilApply is a value of the configuration that plans do not know
// until an apply has resolved it to value, like a reference to a resource
// that is yet to be created.
func UnknownUntilApply(value any) any { return pending{value} }

// numberPrecision is the precision, in bits, of Terraform's numbers.
const numberPrecision = 512

// encoder converts Go values to protocol values. If resolved is true, it
// replaces UnknownUntilApply by its value.
type encoder struct{ resolved bool }

func (e encoder) encode(typ tftypes.Type, value any, path *tftypes.AttributePath) (tftypes.Value, error) {
	if later, ok := value.(pending); ok {
		if !e.resolved {
			return tftypes.NewValue(typ, tftypes.UnknownValue), nil
		}
		value = later.value
	}
	switch value {
	case nil:
		return tftypes.NewValue(typ, nil), nil
	case Unknown:
		return tftypes.NewValue(typ, tftypes.UnknownValue), nil
	}
	var content any
	var err error
	switch typ := typ.(type) {
	case tftypes.Object:
		content, err = e.attributes(typ, value, path)
	case tftypes.Map:
		content, err = e.elements(typ.ElementType, value, path)
	case tftypes.List:
		content, err = e.items(typ.ElementType, value, path)
	case tftypes.Set:
		var elements []tftypes.Value
		elements, err = e.items(typ.ElementType, value, path)
		content = sortedSet(elements)
	default:
		content, err = scalar(typ, value, path)
	}
	if err != nil {
		return tftypes.Value{}, err
	}
	return tftypes.NewValue(typ, content), nil
}

func (e encoder) attributes(
	typ tftypes.Object,
	value any,
	path *tftypes.AttributePath,
) (map[string]tftypes.Value, error) {
	given, err := mapOf(value, path)
	if err != nil {
		return nil, err
	}
	for name := range given {
		if _, ok := typ.AttributeTypes[name]; !ok {
			return nil, fmt.Errorf("%s: there is no such attribute", pathText(path.WithAttributeName(name)))
		}
	}
	content := make(map[string]tftypes.Value, len(typ.AttributeTypes))
	for name, attribute := range typ.AttributeTypes {
		content[name], err = e.encode(attribute, given[name], path.WithAttributeName(name))
		if err != nil {
			return nil, err
		}
	}
	return content, nil
}

func (e encoder) elements(
	element tftypes.Type,
	value any,
	path *tftypes.AttributePath,
) (map[string]tftypes.Value, error) {
	given, err := mapOf(value, path)
	if err != nil {
		return nil, err
	}
	content := make(map[string]tftypes.Value, len(given))
	for key, value := range given {
		content[key], err = e.encode(element, value, path.WithElementKeyString(key))
		if err != nil {
			return nil, err
		}
	}
	return content, nil
}

func (e encoder) items(element tftypes.Type, value any, path *tftypes.AttributePath) ([]tftypes.Value, error) {
	given := reflect.ValueOf(value)
	if given.Kind() != reflect.Slice {
		return nil, fmt.Errorf("%s: want a slice, got %T", pathText(path), value)
	}
	content := make([]tftypes.Value, given.Len())
	for i := range content {
		var err error
		content[i], err = e.encode(element, given.Index(i).Interface(), path.WithElementKeyInt(i))
		if err != nil {
			return nil, err
		}
	}
	return content, nil
}

func mapOf(value any, path *tftypes.AttributePath) (map[string]any, error) {
	given := reflect.ValueOf(value)
	if given.Kind() != reflect.Map || given.Type().Key().Kind() != reflect.String {
		return nil, fmt.Errorf("%s: want a map with string keys, got %T", pathText(path), value)
	}
	content := make(map[string]any, given.Len())
	for entries := given.MapRange(); entries.Next(); {
		content[entries.Key().String()] = entries.Value().Interface()
	}
	return content, nil
}

func scalar(typ tftypes.Type, value any, path *tftypes.AttributePath) (any, error) {
	given := reflect.ValueOf(value)
	switch {
	case typ.Is(tftypes.String) && given.Kind() == reflect.String:
		return given.String(), nil
	case typ.Is(tftypes.Bool) && given.Kind() == reflect.Bool:
		return given.Bool(), nil
	case typ.Is(tftypes.Number) && given.CanInt():
		return new(big.Float).SetPrec(numberPrecision).SetInt64(given.Int()), nil
	case typ.Is(tftypes.Number) && given.CanFloat():
		return number(strconv.FormatFloat(given.Float(), 'g', -1, 64), path)
	}
	if literal, ok := value.(json.Number); ok && typ.Is(tftypes.Number) {
		return number(literal.String(), path)
	}
	return nil, fmt.Errorf("%s: want a %s, got %T", pathText(path), typ, value)
}

// number reads a number by the rules of the configuration language: in decimal,
// so that 0.1 is a tenth and not the nearest float64.
func number(literal string, path *tftypes.AttributePath) (*big.Float, error) {
	parsed, _, err := big.ParseFloat(literal, 10, numberPrecision, big.ToNearestEven)
	if err != nil {
		return nil, fmt.Errorf("%s: %q is not a number", pathText(path), literal)
	}
	return parsed, nil
}

// decode returns the value as plain Go values, with Unknown for unknown values.
func decode(value tftypes.Value) any { return plain(value, shortNumber) }

// encodeJSON returns a completely known value in the form of a state file.
func encodeJSON(value tftypes.Value) json.RawMessage {
	content, err := json.Marshal(plain(value, exactNumber))
	if err != nil {
		panic(fmt.Sprintf("state that is no JSON: %s", err))
	}
	return content
}

func plain(value tftypes.Value, number func(*big.Float) any) any {
	switch {
	case !value.IsKnown():
		return Unknown
	case value.IsNull():
		return nil
	}
	switch typ := value.Type(); {
	case typ.Is(tftypes.Object{}), typ.Is(tftypes.Map{}):
		content := Object{}
		for name, element := range fieldsOf(value) {
			content[name] = plain(element, number)
		}
		return content
	case typ.Is(tftypes.List{}), typ.Is(tftypes.Set{}):
		elements := itemsOf(value)
		if typ.Is(tftypes.Set{}) {
			elements = sortedSet(elements)
		}
		content := []any{}
		for _, element := range elements {
			content = append(content, plain(element, number))
		}
		return content
	case typ.Is(tftypes.Number):
		var content *big.Float
		mustAs(value, &content)
		return number(content)
	case typ.Is(tftypes.Bool):
		var content bool
		mustAs(value, &content)
		return content
	default:
		var content string
		mustAs(value, &content)
		return content
	}
}

func shortNumber(number *big.Float) any {
	if whole, accuracy := number.Int64(); accuracy == big.Exact {
		return whole
	}
	fraction, _ := number.Float64()
	return fraction
}

func exactNumber(number *big.Float) any { return json.Number(number.Text('f', -1)) }

// fieldsOf returns the attributes of an object or the elements of a map; none
// if it is null or unknown.
func fieldsOf(value tftypes.Value) map[string]tftypes.Value {
	var content map[string]tftypes.Value
	if value.IsKnown() && !value.IsNull() {
		mustAs(value, &content)
	}
	return content
}

// itemsOf returns the elements of a list or a set; none if it is null or
// unknown.
func itemsOf(value tftypes.Value) []tftypes.Value {
	var content []tftypes.Value
	if value.IsKnown() && !value.IsNull() {
		mustAs(value, &content)
	}
	return slices.Clone(content) // otherwise a change of the slice would change the value
}

// sortedSet returns a set in sorted order, in which Terraform keeps sets of
// strings.
func sortedSet(elements []tftypes.Value) []tftypes.Value {
	return slices.SortedStableFunc(
		slices.Values(elements),
		func(a, b tftypes.Value) int { return strings.Compare(shown(a), shown(b)) },
	)
}

func mustAs(value tftypes.Value, target any) {
	if err := value.As(target); err != nil {
		panic(fmt.Sprintf("a value that is not of its type: %s", err))
	}
}

// sortedKeys returns the keys of a map in a fixed order.
func sortedKeys[V any](content map[string]V) []string { return slices.Sorted(maps.Keys(content)) }
