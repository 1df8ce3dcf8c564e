package generation

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

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
