package inference_test

import (
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// A fresh signature asks nothing again, and a request for another reason sends
// it. Fault F35.
func TestSame_signaturesAskNothing(t *testing.T) {
	t.Parallel()
	const file = "https://media.example.com/a.png"
	const old, fresh = file + "?w=1&Expires=1&Signature=a", file + "?w=1&Expires=2&Signature=b"
	for address, of := range map[string]func(url string) core.Object{
		categories: func(url string) core.Object { return with(least(categories), core.Object{"media_url": url}) },
		vision: func(url string) core.Object {
			return with(least(vision), core.Object{"messages": shown(core.Object{"image_url": url})})
		},
	} {
		b := newScenario(t)
		b.Applies(address, of(old))
		b.Plans(address, of(fresh)).WantEmpty()
		another := with(of(fresh), core.Object{"triggers": core.Object{"round": "2"}})
		plan := b.Plans(address, another)
		check.True(t, "a replacement", plan.Action(address) == core.Replace, plan)
		check.Equal(t, "words of queries", len(plan.Diagnostics.Find("Query")), 0)
		b.Applies(address, another)
		b.wantAsked(2)
		b.Plan().Must().WantEmpty()
		plan = b.Plans(address, with(of(file+"?w=2"), core.Object{"triggers": core.Object{"round": "2"}}))
		check.True(t, "a replacement", plan.Action(address) == core.Replace, plan)
		b.WantWarning(plan.Diagnostics, "Only the Query of an Address Has Changed", "signature")
	}
}

// What may make no difference is bought, and the plan says so.
func TestSame_whiteSpaceAndCaseAreNamed(t *testing.T) {
	t.Parallel()
	for address, changed := range map[string]core.Object{
		chat: {"messages": said(" Hello ")}, image: {"prompt": "A  castle"},
		vision: {"model": "See-1"},
	} {
		b := newScenario(t)
		b.Applies(address, least(address))
		plan := b.Plans(address, with(least(address), changed))
		check.True(t, "a replacement", plan.Action(address) == core.Replace, plan)
		b.WantWarning(plan.Diagnostics, "Only White Space or Case Has Changed")
	}
}
