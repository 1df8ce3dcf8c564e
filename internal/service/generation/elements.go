package generation

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// nestedMap describes a map of objects that are decoded to T. They are
// converted here, attribute by attribute: there may be thousands, and for each
// the framework's reflection would compile a regular expression for every
// attribute.
type nestedMap[T any] struct {
	attributes []nestedAttribute[T]
	// unknown is what an entirely unknown element becomes, as one is whose first
	// attribute is unknown.
	unknown T
}

// nestedAttribute is an attribute of an element, and the field of T that holds
// its value.
type nestedAttribute[T any] struct {
	name   string
	schema schema.Attribute
	get    func(*T) attr.Value
	set    func(*T, attr.Value)
}

func nested[T any, V attr.Value, R comparable](
	name string, attribute schema.Attribute, as conversion[V, R], field func(*T) *prompts.Value[R],
) nestedAttribute[T] {
	return nestedAttribute[T]{
		name: name, schema: attribute,
		get: func(element *T) attr.Value { return as.to(*field(element)) },
		set: func(element *T, value attr.Value) {
			typed, _ := value.(V)
			*field(element) = as.of(typed)
		},
	}
}

func (m nestedMap[T]) schema() schema.NestedAttributeObject {
	attributes := map[string]schema.Attribute{}
	for _, attribute := range m.attributes {
		attributes[attribute.name] = attribute.schema
	}
	return schema.NestedAttributeObject{Attributes: attributes}
}

func (m nestedMap[T]) elementType() types.ObjectType {
	attributes := map[string]attr.Type{}
	for _, attribute := range m.attributes {
		attributes[attribute.name] = attribute.schema.GetType()
	}
	return types.ObjectType{AttrTypes: attributes}
}

// description lists the attributes for the description of a map that is no nested
// attribute: there they have none of their own.
func (m nestedMap[T]) description() (lines string) {
	for _, attribute := range m.attributes {
		lines += fmt.Sprintf("\n  - `%s`: %s", attribute.name, attribute.schema.GetMarkdownDescription())
	}
	return lines
}

func (m nestedMap[T]) encode(elements map[string]T) types.Map {
	elementType, objects := m.elementType(), make(map[string]attr.Value, len(elements))
	for key, element := range elements {
		if m.attributes[0].get(&element).IsUnknown() {
			objects[key] = types.ObjectUnknown(elementType.AttrTypes)
			continue
		}
		values := make(map[string]attr.Value, len(m.attributes))
		for _, attribute := range m.attributes {
			values[attribute.name] = attribute.get(&element)
		}
		objects[key] = types.ObjectValueMust(elementType.AttrTypes, values)
	}
	return types.MapValueMust(elementType, objects)
}

// decode returns the elements. A null or unknown map is empty.
func (m nestedMap[T]) decode(value types.Map) map[string]T {
	objects := value.Elements()
	elements := make(map[string]T, len(objects))
	for key, value := range objects {
		object, ok := value.(types.Object)
		if !ok || object.IsNull() {
			continue
		}
		element, values := m.unknown, object.Attributes()
		if !object.IsUnknown() {
			for _, attribute := range m.attributes {
				attribute.set(&element, values[attribute.name])
			}
		}
		elements[key] = element
	}
	return elements
}

// conversion says how values of the framework become values of the rules, and back.
type conversion[V attr.Value, R comparable] struct {
	of func(V) prompts.Value[R]
	to func(prompts.Value[R]) V
}

var (
	asText   = conversion[types.String, string]{textOf, toText}
	asFlag   = conversion[types.Bool, bool]{flagOf, toFlag}
	asNumber = conversion[types.Int64, int64]{numberOf, toNumber}
)

func valueOf[T comparable](value attr.Value, known T) prompts.Value[T] {
	switch {
	case value.IsUnknown():
		return prompts.Unknown[T]()
	case value.IsNull():
		return prompts.Value[T]{}
	}
	return prompts.Known(known)
}

func textOf(text types.String) prompts.Value[string] { return valueOf(text, text.ValueString()) }

func flagOf(flag types.Bool) prompts.Value[bool] { return valueOf(flag, flag.ValueBool()) }

func numberOf(number types.Int64) prompts.Value[int64] { return valueOf(number, number.ValueInt64()) }

func toText(text prompts.Value[string]) types.String {
	if text.IsUnknown() {
		return types.StringUnknown()
	}
	return types.StringPointerValue(pointerOf(text))
}

func toFlag(flag prompts.Value[bool]) types.Bool {
	if flag.IsUnknown() {
		return types.BoolUnknown()
	}
	return types.BoolPointerValue(pointerOf(flag))
}

func toNumber(number prompts.Value[int64]) types.Int64 {
	if number.IsUnknown() {
		return types.Int64Unknown()
	}
	return types.Int64PointerValue(pointerOf(number))
}

// pointerOf returns nil unless the value is known.
func pointerOf[T comparable](value prompts.Value[T]) *T {
	if !value.IsKnown() {
		return nil
	}
	known := value.Get()
	return &known
}
