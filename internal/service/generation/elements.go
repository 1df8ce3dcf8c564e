package generation

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The elements of a group's nested maps are converted here, attribute by
// attribute: there may be thousands, and for each the framework's reflection
// would compile a regular expression for every attribute.

// element is an element of a nested map.
type element interface {
	promptModel | generationModel
	object() types.Object
}

// mapValue encodes a nested map.
func mapValue[T element](elementType types.ObjectType, values map[string]T) types.Map {
	objects := make(map[string]attr.Value, len(values))
	for key, value := range values {
		objects[key] = value.object()
	}
	return types.MapValueMust(elementType, objects)
}

// elements decodes a nested map. A null or unknown map is empty, and an entirely
// unknown object becomes whole.
func elements[T element](value types.Map, whole T, decode func(map[string]attr.Value) T) map[string]T {
	objects := value.Elements()
	decoded := make(map[string]T, len(objects))
	for key, element := range objects {
		object, ok := element.(types.Object)
		switch {
		case !ok || object.IsNull():
		case object.IsUnknown():
			decoded[key] = whole
		default:
			decoded[key] = decode(object.Attributes())
		}
	}
	return decoded
}

func promptsOf(value types.Map) map[string]promptModel {
	return elements(value, promptModel{Prompt: types.StringUnknown()}, func(attributes map[string]attr.Value) (p promptModel) {
		p.Prompt, _ = attributes["prompt"].(types.String)
		p.FaceSwap, _ = attributes["face_swap"].(types.Bool)
		p.UseFaceLoRA, _ = attributes["use_face_lora"].(types.Bool)
		p.UseBodyLoRA, _ = attributes["use_body_lora"].(types.Bool)
		p.SourceImageURL, _ = attributes["source_image_url"].(types.String)
		return p
	})
}

func (p promptModel) object() types.Object {
	return types.ObjectValueMust(promptType.AttrTypes, map[string]attr.Value{
		"prompt": p.Prompt, "face_swap": p.FaceSwap, "use_face_lora": p.UseFaceLoRA,
		"use_body_lora": p.UseBodyLoRA, "source_image_url": p.SourceImageURL,
	})
}

func generationsOf(value types.Map) map[string]generationModel {
	return elements(value, toBeBought(), func(attributes map[string]attr.Value) (m generationModel) {
		m.ID, _ = attributes["id"].(types.String)
		m.Status, _ = attributes["status"].(types.String)
		m.Succeeded, _ = attributes["succeeded"].(types.Bool)
		m.Error, _ = attributes["error"].(types.String)
		m.Attempts, _ = attributes["attempts"].(types.Int64)
		return m
	})
}

func (m generationModel) object() types.Object {
	return types.ObjectValueMust(generationType.AttrTypes, map[string]attr.Value{
		"id": m.ID, "status": m.Status, "succeeded": m.Succeeded, "error": m.Error, "attempts": m.Attempts,
	})
}
