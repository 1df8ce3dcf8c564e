package generation

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// nestedMap describes a map of objects that are decoded to T. They are converted here:
// there may be thousands, and the framework's reflection would compile a regular
// expression for each attribute of each.
type nestedMap[T any] struct {
	attributes []nestedAttribute[T]
	// unknown is what an entirely unknown element becomes: its first attribute is unknown.
	unknown T
}

// nestedAttribute is an attribute of an element, and the field of T that has its value.
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
	objectType, _ := m.schema().Type().(types.ObjectType)
	return objectType
}

// description lists the attributes, for a map whose elements have no descriptions.
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
	known   func(V) R
	pointer func(*R) V
	unknown V
}

var (
	asText   = conversion[types.String, string]{types.String.ValueString, types.StringPointerValue, types.StringUnknown()}
	asFlag   = conversion[types.Bool, bool]{types.Bool.ValueBool, types.BoolPointerValue, types.BoolUnknown()}
	asNumber = conversion[types.Int64, int64]{types.Int64.ValueInt64, types.Int64PointerValue, types.Int64Unknown()}
)

func (c conversion[V, R]) of(value V) prompts.Value[R] {
	switch {
	case value.IsUnknown():
		return prompts.Unknown[R]()
	case value.IsNull():
		return prompts.Value[R]{}
	}
	return prompts.Known(c.known(value))
}

func (c conversion[V, R]) to(value prompts.Value[R]) V {
	if value.IsUnknown() {
		return c.unknown
	}
	return c.pointer(value.Pointer())
}
