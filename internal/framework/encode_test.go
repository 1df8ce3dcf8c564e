package framework_test

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// part has a value of each sort.
type part struct {
	Text    *string
	Count   *int64
	Whole   *big.Int
	Number  *float64
	Flag    *bool
	Texts   []string
	ByKey   map[string]string
	JSON    string
	Object  *part
	Objects []part
}

var partFields = []framework.Field[part]{
	framework.TextField("text", "A text.", func(p *part) *string { return p.Text }),
	framework.IntegerField("count", "A count.", func(p *part) *int64 { return p.Count }),
	framework.WholeField("whole", "A whole number.", func(p *part) *big.Int { return p.Whole }),
	framework.NumberField("number", "A number.", func(p *part) *float64 { return p.Number }),
	framework.FlagField("flag", "A flag.", func(p *part) *bool { return p.Flag }),
	framework.TextsField("texts", "Texts.", func(p *part) []string { return p.Texts }),
	framework.TextsByKeyField("by_key", "Texts by key.", func(p *part) map[string]string { return p.ByKey }),
	framework.JSONField("json", "JSON.", func(p *part) string { return p.JSON }),
}

var wholeFields = append([]framework.Field[part]{
	framework.ObjectField("object", "An object.", func(p *part) *part { return p.Object }, partFields),
	framework.ListField("objects", "Objects.", func(p *part) []part { return p.Objects }, []framework.Field[part]{
		framework.TextField("text", "A text.", func(p *part) *string { return p.Text }),
		framework.ListField("objects", "Objects.", func(p *part) []part { return p.Objects }, partFields),
	}),
}, partFields...)

func parts(depth int) *rapid.Generator[part] {
	return rapid.Custom(func(t *rapid.T) part {
		p := part{
			Text:   rapid.Ptr(rapid.StringN(0, -1, 300), true).Draw(t, "text"),
			Count:  rapid.Ptr(rapid.Int64(), true).Draw(t, "count"),
			Number: rapid.Ptr(rapid.Float64Range(-1e15, 1e15), true).Draw(t, "number"),
			Flag:   rapid.Ptr(rapid.Bool(), true).Draw(t, "flag"),
			Texts:  rapid.SliceOfN(rapid.String(), 0, 20).Draw(t, "texts"),
			ByKey:  rapid.MapOfN(rapid.String(), rapid.String(), 0, 20).Draw(t, "by key"),
			JSON:   rapid.SampledFrom([]string{`{}`, `{"a":[1,null]}`}).Draw(t, "json"),
		}
		if rapid.Bool().Draw(t, "is whole") {
			p.Whole = new(big.Int).Lsh(big.NewInt(rapid.Int64().Draw(t, "whole")), 40)
		}
		if depth > 0 {
			p.Object = rapid.Ptr(parts(depth-1), true).Draw(t, "object")
			p.Objects = rapid.SliceOfN(parts(depth-1), 0, 20).Draw(t, "objects")
		}
		return p
	})
}

// blank is an object of a configuration with an input and no field yet.
func blank(ctx context.Context) types.Object {
	inputs := map[string]attr.Type{"path": types.StringType, "only": types.BoolType}
	values := map[string]attr.Value{"path": types.StringValue("a path"), "only": types.BoolNull()}
	for name, attribute := range framework.AttributesOf(wholeFields) {
		inputs[name] = attribute.GetType()
		null := tftypes.NewValue(attribute.GetType().TerraformType(ctx), nil)
		values[name], _ = attribute.GetType().ValueFromTerraform(ctx, null)
	}
	return types.ObjectValueMust(inputs, values)
}

// What is encoded is what is shown.
func TestEncode(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	object := blank(ctx)
	rapid.Check(t, func(t *rapid.T) {
		reply := parts(2).Draw(t, "reply")
		shown, err := framework.Show(ctx, object, wholeFields, &reply).ToTerraformValue(ctx)
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := framework.Encode(ctx, object, wholeFields, &reply)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := encoded.State().Unmarshal(shown.Type())
		if err != nil || !decoded.Equal(shown) {
			t.Fatal(err, decoded, shown)
		}
		if err := decodesInACLI(encoded.State().MsgPack, shown.Type()); err != nil {
			t.Fatal(err)
		}
	})
}

// decodesInACLI decodes as Terraform and OpenTofu do.
func decodesInACLI(content []byte, typ tftypes.Type) error {
	written, err := typ.MarshalJSON() //nolint:staticcheck // CLIs read types in this form
	if err != nil {
		return err
	}
	known, err := ctyjson.UnmarshalType(written)
	if err != nil {
		return err
	}
	_, err = msgpack.Unmarshal(content, known)
	return err
}

// A list may have more elements than a short code can count, and an address of
// any of them may be omitted.
func TestEncode_many(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	object := blank(ctx)
	omitted := framework.BoundedAddress("data:image/png;base64," + strings.Repeat("A", 100_000))
	reply := part{}
	for i := range 70_000 {
		reply.Objects = append(reply.Objects, part{Text: new(fmt.Sprint(i))})
	}
	reply.Objects[69_999].Text = &omitted
	shown, err := framework.Show(ctx, object, wholeFields, &reply).ToTerraformValue(ctx)
	check.Must(t, err)
	encoded, err := framework.Encode(ctx, object, wholeFields, &reply)
	check.Must(t, err)
	decoded, err := encoded.State().Unmarshal(shown.Type())
	check.Must(t, err)
	check.True(t, "it is what is shown", decoded.Equal(shown))
	var diags diag.Diagnostics
	encoded.WarnOfOmitted(&diags, tftypes.NewValue(tftypes.String, ""))
	check.True(t, "a warning", len(diags) == 1 && strings.Contains(diags[0].Detail(), omitted), diags)
}
