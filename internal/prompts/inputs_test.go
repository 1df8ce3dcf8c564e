package prompts_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// values are known values of the type of an input: the first is the value of
// none, where an input has one.
func values(t interface{ Fatalf(string, ...any) }, of reflect.Type) []reflect.Value {
	switch of {
	case reflect.TypeFor[prompts.Value[string]]():
		return []reflect.Value{
			reflect.ValueOf(prompts.Known("https://x/1")), reflect.ValueOf(prompts.Known("https://x/2")),
		}
	case reflect.TypeFor[prompts.Value[bool]]():
		return []reflect.Value{reflect.ValueOf(prompts.Known(false)), reflect.ValueOf(prompts.Known(true))}
	case reflect.TypeFor[prompts.Value[int64]]():
		return []reflect.Value{
			reflect.ValueOf(prompts.Known(prompts.FirstTake)), reflect.ValueOf(prompts.Known(prompts.FirstTake + 1)),
		}
	}
	t.Fatalf("there are no values of %s", of)
	return nil
}

func unknown(t *testing.T, of reflect.Type) reflect.Value {
	t.Helper()
	switch of {
	case reflect.TypeFor[prompts.Value[string]]():
		return reflect.ValueOf(prompts.Unknown[string]())
	case reflect.TypeFor[prompts.Value[bool]]():
		return reflect.ValueOf(prompts.Unknown[bool]())
	case reflect.TypeFor[prompts.Value[int64]]():
		return reflect.ValueOf(prompts.Unknown[int64]())
	}
	t.Fatalf("there is no unknown %s", of)
	return reflect.Value{}
}

func known(t *rapid.T, of reflect.Type) reflect.Value {
	return rapid.SampledFrom(values(t, of)).Draw(t, "value")
}

// with returns a prompt of which one field has another value.
func with(p prompts.Prompt, field int, value reflect.Value) prompts.Prompt {
	reflect.ValueOf(&p).Elem().Field(field).Set(value)
	return p
}

// The fields of a prompt are its inputs, and every question asks each of them: a
// field that nobody has listed fails here.
func TestInputs_areAskedEverywhere(t *testing.T) {
	t.Parallel()
	fields := reflect.TypeFor[prompts.Prompt]()
	check.Equal(t, "inputs that are listed", prompts.InputCount(), fields.NumField())
	for i := range fields.NumField() {
		t.Run(fields.Field(i).Name, func(t *testing.T) {
			t.Parallel()
			of := fields.Field(i).Type
			some := values(t, of)
			var none prompts.Prompt
			open := with(none, i, unknown(t, of))
			one := with(none, i, some[0])
			other := with(none, i, some[1])
			check.True(t, "unknown: the purchase is not known", !open.IsKnown() && one.IsKnown() && none.IsKnown())
			check.True(t, "equal: it is the same", one.IsSame(one))
			check.True(t, "different: it is another", !one.IsSame(other) && !other.IsSame(none))
			check.True(t, "different: the key is another", prompts.KeyOf(one) != prompts.KeyOf(other))
			check.True(t, "an import that has read none may be any", prompts.MayBe(other, none))
			check.True(t, "an import that has read one is no other", !prompts.MayBe(other, one))
			check.Equal(t, "what is the same stays as stored", one.AsStored(one), one)
			check.Equal(t, "what is another does not", other.AsStored(one), other)
			isNone := one.IsSame(none)
			check.Equal(t, "the value of none is in all prompts", isNone, none.Wanted() == one.Wanted())
			check.Equal(t, "none for its value stays as stored", none.AsStored(one) == one, isNone)
		})
	}
}
