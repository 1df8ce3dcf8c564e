package generation_test

import (
	"reflect"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/service/generation"
)

// Each field of a prompt has one attribute, and one place in a batch: an input
// that only one of them had would be bought without being sent.
func TestInputs_haveAnAttributeAndAreSent(t *testing.T) {
	t.Parallel()
	some := map[reflect.Type]any{
		reflect.TypeFor[prompts.Value[string]](): prompts.Known("a"),
		reflect.TypeFor[prompts.Value[bool]]():   prompts.Known(true),
		reflect.TypeFor[prompts.Value[int64]]():  prompts.Known(prompts.FirstTake + 1),
	}
	fields := reflect.TypeFor[prompts.Prompt]()
	seen := map[string]bool{}
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		var prompt prompts.Prompt
		reflect.ValueOf(&prompt).Elem().Field(i).Set(reflect.ValueOf(some[fields.Field(i).Type]))
		shown, sent := generation.Inputs(prompt)
		check.Equal(t, name+": attributes", len(shown), 1)
		check.Equal(t, name+": where a batch has it", sent, shown)
		seen[shown[0]] = true
	}
	check.Equal(t, "attributes", len(seen), fields.NumField())
}
