package framework

import (
	"context"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Field is a computed attribute of a resource or a data source. It shows a part
// of a reply, T. A part that the service has left out is null, but a list is
// never null.
type Field[T any] struct {
	name      string
	attribute schema.Attribute // an attribute of a data source has the same methods
	value     func(said *T) attr.Value
	elements  func(said *T) elements // of a list of objects; nil for other fields
}

// shown returns a field with one value.
func shown[T any](name string, attribute schema.Attribute, value func(*T) attr.Value) Field[T] {
	return Field[T]{
		name:      name,
		attribute: attribute,
		value:     value,
	}
}

func orEmpty(description string) string {
	if strings.Contains(description, "mpty") {
		return description
	}
	return description + " Empty if none."
}

// TextOf returns a text that the service may have left out. The state stores
// the text unchanged.
func TextOf[S ~string](text *S) types.String {
	if text == nil {
		return types.StringNull()
	}
	return types.StringValue(string(*text))
}

// TextField shows a text.
func TextField[T any, S ~string](name, description string, of func(*T) *S) Field[T] {
	return shown(name, schema.StringAttribute{Computed: true, MarkdownDescription: description},
		func(said *T) attr.Value { return TextOf(of(said)) })
}

// IntegerField shows a whole number.
func IntegerField[T any](name, description string, of func(*T) *int64) Field[T] {
	return shown(name, schema.Int64Attribute{Computed: true, MarkdownDescription: description},
		func(said *T) attr.Value { return types.Int64PointerValue(of(said)) })
}

// WholeField shows a whole number of any size, exactly.
func WholeField[T any](name, description string, of func(*T) *big.Int) Field[T] {
	return shown(name, schema.NumberAttribute{Computed: true, MarkdownDescription: description},
		func(said *T) attr.Value {
			number := of(said)
			if number == nil {
				return types.NumberNull()
			}
			return types.NumberValue(new(big.Float).SetInt(number))
		})
}

// NumberField shows a number.
func NumberField[T any](name, description string, of func(*T) *float64) Field[T] {
	return shown(name, schema.Float64Attribute{Computed: true, MarkdownDescription: description},
		func(said *T) attr.Value { return types.Float64PointerValue(of(said)) })
}

// FlagField shows a boolean.
func FlagField[T any](name, description string, of func(*T) *bool) Field[T] {
	return shown(name, schema.BoolAttribute{Computed: true, MarkdownDescription: description},
		func(said *T) attr.Value { return types.BoolPointerValue(of(said)) })
}

// AddressField shows an address, shortened if it is too long for the state.
func AddressField[T any](name, description string, of func(*T) *string) Field[T] {
	return TextField(
		name,
		description,
		func(said *T) *string { return SameAddress(types.StringNull(), of(said)).ValueStringPointer() },
	)
}

// TextsField shows a list of texts.
func TextsField[T any](name, description string, of func(*T) []string) Field[T] {
	attribute := schema.ListAttribute{
		Computed:            true,
		ElementType:         types.StringType,
		MarkdownDescription: orEmpty(description),
	}
	return shown(name, attribute, func(said *T) attr.Value {
		texts := of(said)
		elements := make([]attr.Value, len(texts))
		for i, text := range texts {
			elements[i] = types.StringValue(text)
		}
		return types.ListValueMust(types.StringType, elements)
	})
}

// TextsByKeyField shows a map of texts.
func TextsByKeyField[T any](name, description string, of func(*T) map[string]string) Field[T] {
	attribute := schema.MapAttribute{
		Computed:            true,
		ElementType:         types.StringType,
		MarkdownDescription: orEmpty(description),
	}
	return shown(name, attribute, func(said *T) attr.Value {
		elements := map[string]attr.Value{}
		for key, text := range of(said) {
			elements[key] = types.StringValue(text)
		}
		return types.MapValueMust(types.StringType, elements)
	})
}

// AddressesField shows a list of addresses, each in the form of AddressField.
func AddressesField[T any](name, description string, of func(*T) []string) Field[T] {
	return TextsField(name, description, func(said *T) []string { return BoundedAddresses(of(said)) })
}

// JSONField shows a JSON value. Its texts are shortened like addresses.
func JSONField[T any](name, description string, of func(*T) string) Field[T] {
	return shown(name, schema.StringAttribute{
		Computed:            true,
		CustomType:          jsontypes.NormalizedType{},
		MarkdownDescription: description,
	},
		func(said *T) attr.Value { return jsontypes.NewNormalizedValue(BoundedJSON(of(said))) })
}

// ObjectField shows a part with fields of its own. A nil part is null.
func ObjectField[T, U any](name, description string, of func(*T) *U, fields []Field[U]) Field[T] {
	return shown(name, schema.SingleNestedAttribute{
		Computed:            true,
		MarkdownDescription: description,
		Attributes:          AttributesOf(fields),
	},
		func(said *T) attr.Value { return ObjectOf(fields, of(said)) })
}

// ListField shows the parts of a list.
func ListField[T, U any](name, description string, of func(*T) []U, fields []Field[U]) Field[T] {
	value := func(said *T) attr.Value {
		parts := of(said)
		values := make([]attr.Value, len(parts))
		for i := range parts {
			values[i] = ObjectOf(fields, &parts[i])
		}
		return types.ListValueMust(types.ObjectType{AttrTypes: typesOf(fields)}, values)
	}
	elementsOf := func(said *T) elements {
		parts := of(said)
		return elements{len(parts), func(e *Encoded, i int) error {
			err := e.encoder.EncodeMapLen(len(fields))
			if err != nil {
				return err
			}
			return encodeFields(e, fields, &parts[i])
		}}
	}
	return Field[T]{
		name: name,
		attribute: schema.ListNestedAttribute{
			Computed:            true,
			MarkdownDescription: orEmpty(description),
			NestedObject:        schema.NestedAttributeObject{Attributes: AttributesOf(fields)},
		},
		value:    value,
		elements: elementsOf,
	}
}

// AttributesOf returns the attributes of the fields, by name.
func AttributesOf[T any](fields []Field[T]) map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for _, field := range fields {
		attributes[field.name] = field.attribute
	}
	return attributes
}

// Show returns an object with the values of the fields.
func Show[T any](ctx context.Context, object types.Object, fields []Field[T], said *T) types.Object {
	values := object.Attributes()
	for _, field := range fields {
		values[field.name] = field.value(said)
	}
	return types.ObjectValueMust(object.AttributeTypes(ctx), values)
}

// Complete shows the fields whose values are unknown. Values that the plan
// promised stay, whatever the service replied: a broken promise would fail an
// apply that has succeeded.
func Complete[T any](ctx context.Context, plan types.Object, fields []Field[T], said *T) types.Object {
	values := plan.Attributes()
	var open []Field[T]
	for _, field := range fields {
		if values[field.name].IsUnknown() {
			open = append(open, field)
		}
	}
	return Show(ctx, plan, open, said)
}

// typesOf returns the types of fields, by name.
func typesOf[T any](fields []Field[T]) map[string]attr.Type {
	attributes := map[string]attr.Type{}
	for _, field := range fields {
		attributes[field.name] = field.attribute.GetType()
	}
	return attributes
}

// ObjectOf returns an object with all fields. A nil part gives a null object.
func ObjectOf[T any](fields []Field[T], part *T) types.Object {
	if part == nil {
		return types.ObjectNull(typesOf(fields))
	}
	values := map[string]attr.Value{}
	for _, field := range fields {
		values[field.name] = field.value(part)
	}
	return types.ObjectValueMust(typesOf(fields), values)
}
