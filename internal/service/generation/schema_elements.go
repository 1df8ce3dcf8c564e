package generation

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// The elements of the group's collections: their schemas and their values.

const unset = " If unset, the service decides."

const takeName = "take"

// promptInputs are the inputs of a prompt, the fields of prompts.Prompt: the
// attribute of each, and its place in a batch.
var promptInputs = []promptInput{
	{
		nested("prompt", schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Text of the prompt, sent as it is. Line ends, a newline at the end and the Unicode " +
				"form are no change. Required without `source_image_url`.",
			Validators: []validator.String{framework.Text(), framework.NotBlank()},
		}, asText, func(p *prompts.Prompt) *prompts.Value[string] { return &p.Text }),
		func(p *prompts.Prompt, sent *api.Prompt) { sent.Prompt = p.Text.Get() },
	},
	{
		nested("face_swap", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to swap the character's face into the result." + unset,
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.FaceSwap }),
		func(p *prompts.Prompt, sent *api.Prompt) { sent.FaceSwap = p.FaceSwap.Pointer() },
	},
	{
		nested("use_face_lora", schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether to use the character's face LoRA. `true` is an error while it is not " +
				"available." + unset,
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.UseFaceLoRA }),
		func(p *prompts.Prompt, sent *api.Prompt) { sent.UseFaceLoRA = p.UseFaceLoRA.Pointer() },
	},
	{
		nested("use_body_lora", schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether to use the character's body LoRA. `true` is an error while it is not " +
				"available." + unset,
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.UseBodyLoRA }),
		func(p *prompts.Prompt, sent *api.Prompt) { sent.UseBodyLoRA = p.UseBodyLoRA.Pointer() },
	},
	{
		nested("source_image_url", schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Photo to edit, as an http or https address or a data URI of at most 64 KiB. " +
				"Another signature in its query counts as the same.",
			Validators: []validator.String{framework.MediaAddress()},
		}, asText, func(p *prompts.Prompt) *prompts.Value[string] { return &p.SourceImageURL }),
		func(p *prompts.Prompt, sent *api.Prompt) { sent.SourceImageURL = p.SourceImageURL.Pointer() },
	},
	{
		nested(takeName, schema.Int64Attribute{
			Optional: true,
			Computed: true,
			Default:  int64default.StaticInt64(prompts.FirstTake),
			MarkdownDescription: "Number of your own, 1 or more, which is not sent: another number **buys** the " +
				"prompt once more, failed or not. Defaults to `1`.",
			Validators: []validator.Int64{int64validator.AtLeast(1)},
		}, asNumber, func(p *prompts.Prompt) *prompts.Value[int64] { return &p.Take }),
		// The take only makes equal prompts different purchases.
		func(p *prompts.Prompt, sent *api.Prompt) { sent.Take = p.Wanted().Take.Get() - prompts.FirstTake },
	},
}

// promptInput is an input of a prompt. The function send writes it into the
// prompt of a batch.
type promptInput struct {
	nestedAttribute[prompts.Prompt]
	send func(p *prompts.Prompt, sent *api.Prompt)
}

var promptElements = nestedMap[prompts.Prompt]{
	unknown:    prompts.Prompt{Text: prompts.Unknown[string]()},
	attributes: promptAttributes(),
}

func promptAttributes() (all []nestedAttribute[prompts.Prompt]) {
	for _, input := range promptInputs {
		all = append(all, input.nestedAttribute)
	}
	return all
}

var generationElements = nestedMap[prompts.Generation]{
	unknown: prompts.ToBeBought(),
	attributes: []nestedAttribute[prompts.Generation]{
		nested(
			"id",
			framework.ComputedText(
				"Id of the generation. Null if the prompt was rejected, not submitted or unconfirmed; equal prompts "+
					"may share one.",
			),
			asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.ID },
		),
		nested(
			"status",
			framework.ComputedText("Status of the generation. `unconfirmed` if the reply was lost or does not tell."),
			asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.Status },
		),
		nested(
			"succeeded",
			schema.BoolAttribute{
				Computed:            true,
				MarkdownDescription: "Whether the generation has results. Null while it runs, and if `id` is null.",
			},
			asFlag,
			func(g *prompts.Generation) *prompts.Value[bool] { return &g.Succeeded },
		),
		nested(
			"error",
			framework.ComputedText("Why the prompt has no results. Null if it has some or may still get some."),
			asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.Error },
		),
		nested("attempts", computedInt64("How often the prompt was submitted."), asNumber,
			func(g *prompts.Generation) *prompts.Value[int64] { return &g.Attempts }),
	},
}

func computedInt64(description string) schema.Int64Attribute {
	return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
}

// nestedMap describes a map of objects that are decoded to T. The conversion is
// done here and not by the framework, whose reflection would compile a regular
// expression for each attribute: a map may have thousands of objects.
type nestedMap[T any] struct {
	attributes []nestedAttribute[T]
	// unknown is the element for an entirely unknown object: its first
	// attribute is unknown.
	unknown T
}

// nestedAttribute is an attribute of the objects of a map, with functions that
// read and set its value.
type nestedAttribute[T any] struct {
	name   string
	schema schema.Attribute
	get    func(*T) attr.Value
	set    func(*T, attr.Value)
}

// nested makes an attribute from a field of T.
func nested[T any, V attr.Value, R comparable](
	name string, attribute schema.Attribute, as conversion[V, R], field func(*T) *prompts.Value[R],
) nestedAttribute[T] {
	return nestedAttribute[T]{
		name:   name,
		schema: attribute,
		get: func(element *T) attr.Value {
			if field(element).IsUnknown() {
				return as.unknown
			}
			return as.pointer(field(element).Pointer())
		},
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

func (m nestedMap[T]) description() (lines string) {
	for _, attribute := range m.attributes {
		lines += fmt.Sprintf("\n  - `%s`: %s", attribute.name, attribute.schema.GetMarkdownDescription())
	}
	return lines
}

func (m nestedMap[T]) encode(elements map[string]T) types.Map {
	elementType := m.elementType()
	objects := make(map[string]attr.Value, len(elements))
	for key, element := range elements {
		objects[key] = m.encodeAs(elementType, element)
	}
	return types.MapValueMust(elementType, objects)
}

func (m nestedMap[T]) encodeOne(element T) types.Object { return m.encodeAs(m.elementType(), element) }

// encodeAs makes the object of an element. If the first attribute is unknown,
// the object is unknown as a whole: a plan shows a purchase in this way.
func (m nestedMap[T]) encodeAs(elementType types.ObjectType, element T) types.Object {
	if m.attributes[0].get(&element).IsUnknown() {
		return types.ObjectUnknown(elementType.AttrTypes)
	}
	values := make(map[string]attr.Value, len(m.attributes))
	for _, attribute := range m.attributes {
		values[attribute.name] = attribute.get(&element)
	}
	return types.ObjectValueMust(elementType.AttrTypes, values)
}

// decode reads the elements of a map. In an unknown element every attribute is
// unknown; a null element is left out.
func (m nestedMap[T]) decode(value types.Map) map[string]T {
	objects := value.Elements()
	elements := make(map[string]T, len(objects))
	for key, value := range objects {
		object, ok := value.(types.Object)
		if !ok || object.IsNull() {
			continue
		}
		element := m.unknown
		values := object.Attributes()
		if !object.IsUnknown() {
			for _, attribute := range m.attributes {
				attribute.set(&element, values[attribute.name])
			}
		}
		elements[key] = element
	}
	return elements
}

// conversion converts values of the framework to values of the rules, and back.
type conversion[V attr.Value, R comparable] struct {
	known   func(V) R
	pointer func(*R) V
	unknown V
}

var (
	asText = conversion[types.String, string]{
		types.String.ValueString,
		types.StringPointerValue,
		types.StringUnknown(),
	}
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
