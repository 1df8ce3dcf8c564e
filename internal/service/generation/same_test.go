package generation_test

import (
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const photo = "https://images.example.com/chair.jpg"

// A fresh signature is no reason to pay; a prompt that is bought for another
// one is sent the fresh address. Fault F35.
func TestSame_signaturesBuyNothing(t *testing.T) {
	t.Parallel()
	const old, fresh = photo + "?w=1&X-Amz-Date=1&X-Amz-Signature=a", photo + "?w=1&X-Amz-Date=2&X-Amz-Signature=b"
	s := newScenario(t)
	s.photos(map[string]string{"a": old, "b": photo + "?sig=a&se=1"})
	s.buys([]string{"id", `generations["a"]`, `generations["b"]`}, 2)
	s.photos(map[string]string{"a": fresh, "b": photo + "?sig=b&se=2"})
	s.Plan().Must().WantEmpty()
	s.photos(map[string]string{"a": fresh, "c": photo + "?sig=c"}) // a renamed key
	s.buys(nil, 0)
	s.Want(groupAddress, core.Object{
		`prompts["a"].source_image_url`: old, `prompts["c"].source_image_url`: photo + "?sig=c",
	})
	s.WantCount(t, mockserver.RouteDelete, 0)

	s.Resource(groupAddress, core.Object{"prompts": core.Object{
		"a": core.Object{"source_image_url": fresh, "take": 2}, "c": core.Object{"source_image_url": photo + "?sig=d"},
	}})
	s.buys([]string{`generations["a"]`}, 1)
	sent := string(s.Requests(mockserver.RouteBatch)[1].Body)
	check.True(t, "the fresh address is sent", strings.Contains(sent, "X-Amz-Signature=b"), sent)
	s.Want(groupAddress, core.Object{
		`prompts["a"].source_image_url`: fresh, `prompts["c"].source_image_url`: photo + "?sig=c",
	})
	s.Plan().Must().WantEmpty()
}

func TestSame_anotherQueryIsBoughtAndNamed(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.photos(map[string]string{"a": photo + "?w=1&sig=a", "b": photo})
	s.Apply().Must()
	s.photos(map[string]string{"a": photo + "?w=2&sig=b", "b": photo + "?sig=c"})
	plan := s.Plan().Must()
	s.WantWarning(plan.Diagnostics, mediaDeleted, `Of the prompt "a" only the query of source_image_url has changed`)
	s.buys([]string{`generations["a"]`}, 1)
}

// A prompt that is submitted again is sent what is configured now: an old
// address may have expired.
func TestSame_anotherAttemptIsSentTheFreshAddress(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	config := func(address string, attempts int) core.Object {
		prompt := core.Object{"prompt": "A", "source_image_url": address}
		return core.Object{"max_attempts": attempts, "prompts": core.Object{"a": prompt}}
	}
	s.FailPrompt("A", "no")
	s.Resource(groupAddress, config(photo+"?sig=a", 1))
	s.Apply().Must()
	s.Resource(groupAddress, config(photo+"?sig=b", 1))
	s.Plan().Must().WantEmpty()
	s.Resource(groupAddress, config(photo+"?sig=b", 2))
	s.buys([]string{`generations["a"]`}, 1)
	sent := string(s.Requests(mockserver.RouteBatch)[1].Body)
	check.True(t, "the fresh address is sent", strings.Contains(sent, "sig=b"), sent)
	s.Want(groupAddress, core.Object{`prompts["a"].source_image_url`: photo + "?sig=b"})
}

// Beside a prompt that is the same, one that is not known yet stays what it is.
func TestSame_besideAnUnknownText(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "A", "b": "B"})
	s.group(nil, core.Object{"title": "Portraits\r\n", "prompts": core.Object{
		"a": core.Object{"prompt": "A\r\n"}, "b": core.Object{"prompt": core.UnknownUntilApply("B"), "take": 1},
	}})
	plan := s.Plan().Must()
	check.True(t, "what the plan announces", len(plan.UnknownIDs(groupAddress)) == 1, plan)
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteBatch, 1)
	s.Want(groupAddress, core.Object{`prompts["a"].prompt`: "A", "title": "Portraits"})
	s.Plan().Must().WantEmpty()
}

// A checkout with other line ends buys nothing, whatever else the plan does.
func TestSame_besideAPurchase(t *testing.T) {
	t.Parallel()
	s := applied(t, map[string]string{"a": "At dawn\nby the sea", "b": "Caf\u00e9"})
	s.plans(map[string]string{"a": "At dawn\r\nby the sea\r\n", "b": "Cafe\u0301"}).WantEmpty()
	s.group(map[string]string{"a": "At dawn\r\nby the sea", "b": "Cafe\u0301", "c": "C\r\n"})
	s.buys([]string{`generations["c"]`}, 1)
	s.Want(groupAddress, core.Object{
		`prompts["a"].prompt`: "At dawn\nby the sea",
		`prompts["b"].prompt`: "Caf\u00e9",
		`prompts["c"].prompt`: "C\r\n",
	})
	s.WantCount(t, mockserver.RouteDelete, 0)
	s.Plan().Must().WantEmpty()
}

// Results find their prompts whatever form the service shows texts in.
func TestSame_textsOfTheServiceSettleResults(t *testing.T) {
	t.Parallel()
	for _, variant := range []mockserver.Texts{mockserver.TextsDecomposed, mockserver.TextsEscaped} {
		s := newScenario(t, func(o *mockserver.Options) {
			o.Variant = mockserver.Variant{Texts: variant, PromptIndexBase: -1, ReorderResults: true}
		})
		result := s.applies(map[string]string{"a": "Caf\u00e9 & more", "b": "Th\u00e9 <now>"})
		check.True(
			t,
			"nothing is open",
			len(result.Diagnostics.Find("Another Key's")) == 0,
			variant,
			result.Diagnostics,
		)
		made, _ := s.Generation(s.Value(groupAddress, `generations["a"].id`).(string))
		check.True(t, "whose it is", strings.HasPrefix(made.Prompt, "Caf"), variant, made.Prompt)
		s.Plan().Must().WantEmpty()
	}
}

// What the service shows escaped is provably what was sent; what is written so
// is not.
func TestSame_importOfEscapedTextsBuysNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.Variant.Texts = mockserver.TextsEscaped })
	s.applies(map[string]string{"a": `Ada & "Eve"`, "b": "B"})
	a := s.Value(groupAddress, `generations["a"].id`).(string)
	b := s.Value(groupAddress, `generations["b"].id`).(string)
	s.Forget(groupAddress)
	s.Import(groupAddress, `{"a":"`+a+`","b":"`+b+`"}`).Must()
	s.buys(nil, 0)
	s.Want(groupAddress, core.Object{`prompts["a"].prompt`: `Ada & "Eve"`, `generations["a"].id`: a})
	s.Plan().Must().WantEmpty()

	s.Forget(groupAddress)
	s.group(map[string]string{"a": `Ada & Adam`, "b": "B"})
	s.Import(groupAddress, `{"a":"`+a+`","b":"`+b+`"}`).Must()
	check.Equal(t, "another text is bought", len(s.Plan().Must().UnknownIDs(groupAddress)), 1)
}
