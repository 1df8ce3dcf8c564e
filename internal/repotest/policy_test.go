package repotest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// A create buys all of its numbers, an update the difference, and a replacement
// all again; nothing else counts. What is not known is denied.
func TestPolicies(t *testing.T) {
	t.Parallel()
	const (
		group    = "mediagen_generation_group"
		training = "mediagen_face_lora_training"
		none     = "all: purchases 0, credits 0"
		unknown  = "purchases unknown, credits unknown"
		again    = `{"purchases":true,"cost":true,"prompts":`
		bought   = `{"purchases":3,"cost":0.3}`
	)
	change := func(kind, actions, before, after, unknown string) string {
		return fmt.Sprintf(
			`{"resource_changes":[{"address":"x","type":%q,"change":{"actions":%s,"before":%s,"after":%s,`+
				`"after_unknown":%s}}]}`,
			kind,
			actions,
			before,
			after,
			unknown,
		)
	}
	for name, test := range map[string]struct{ plan, says string }{
		"created": {change(group, `["create"]`, `null`, bought, `{"id":true}`), "purchases 3, credits 0.3"},
		"updated": {
			change(group, `["update"]`, `{"purchases":1,"cost":0.1}`, bought, `{}`),
			"purchases 2, credits 0.2",
		},
		"imported, added to": {
			change(group, `["update"]`, `{"purchases":0,"cost":null}`, bought, `{}`),
			"purchases 3, credits 0.3",
		},
		"of a state without": {change(group, `["update"]`, `{}`, bought, `{}`), "purchases 3, credits 0.3"},
		"without a price": {
			change(group, `["update"]`, `{"purchases":1,"cost":1}`, `{"purchases":3,"cost":null}`, `{}`),
			"purchases 2, credits unknown",
		},
		"prices came later": {
			change(group, `["update"]`, `{"purchases":20,"cost":null}`, `{"purchases":22,"cost":22}`, `{}`),
			"purchases 2, credits 2",
		},
		"prices alone came": {
			change(group, `["update"]`, `{"purchases":20,"cost":null}`, `{"purchases":20,"cost":20}`, `{}`),
			"",
		},
		"free, and more": {
			change(group, `["update"]`, `{"purchases":20,"cost":0}`, `{"purchases":22,"cost":6}`, `{}`),
			"purchases 2, credits 6",
		},
		"waited for":    {change(group, `["update"]`, bought, bought, `{"complete":true}`), ""},
		"unchanged":     {change(group, `["no-op"]`, bought, bought, `{}`), ""},
		"of no numbers": {change(group, `["update"]`, `{"purchases":null}`, `{"purchases":null}`, `{}`), ""},
		"deleted":       {change(group, `["delete"]`, bought, `null`, `{}`), ""},
		"read":          {change("mediagen_generation", `["read"]`, `null`, `{}`, `{"id":true}`), ""},
		"of another type": {
			change("mediagen_character", `["create"]`, `null`, `{"name":"Max"}`, `{"id":true}`),
			"",
		},
		"of another provider": {change("shop_order", `["create"]`, `null`, bought, `{}`), ""},
		"replaced": {change(
			group,
			`["delete","create"]`,
			bought,
			`{"prompts":{"a":{"prompt":"A"},"b":{}}}`,
			again+`{"a":{},"b":{"prompt":true},"c":true}}`,
		),
			"purchases 3, credits unknown"},
		"replaced, known": {
			change(group, `["create","delete"]`, `{"purchases":5,"cost":9}`, bought, `{}`),
			"purchases 3, credits 0.3",
		},
		"replaced by unknown prompts": {change(group, `["create","delete"]`, bought, `{}`, again+`true}`), unknown},
		"a training": {
			change(training, `["create"]`, `null`, `{"purchases":1,"cost":100}`, `{}`),
			"purchases 1, credits 100",
		},
		"a training, replaced": {
			change(
				training,
				`["create","delete"]`,
				`{"purchases":1,"cost":100}`,
				`{}`,
				`{"purchases":true,"cost":true}`,
			),
			"purchases 1, credits unknown",
		},
		"a dataset, replaced": {
			change(
				"mediagen_dataset",
				`["delete","create"]`,
				`{"purchases":1}`,
				`{"prompts":["A","B"]}`,
				again+`[false,false]}`,
			),
			"purchases 1, credits unknown",
		},
		"created with unknown prompts": {change(group, `["create"]`, `null`, `{}`, again+`true}`), unknown},
		"updated with unknown prompts": {change(group, `["update"]`, bought, `{}`, again+`{"a":true}}`), unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.says == "" {
				repotest.WantPolicies(t, test.plan, none)
				return
			}
			repotest.WantPolicies(t, test.plan, "x: "+test.says, "all: "+test.says)
		})
	}
	for _, empty := range []string{`{}`, `{"errored":false,"resource_changes":[]}`} {
		repotest.WantPolicies(t, empty, none)
	}
	for _, limit := range []float64{-1, 0, 1} {
		repotest.WantVerdict(t, `{"errored":true}`, limit, repotest.Verdict{[]string{none}, repotest.NotTold})
	}
}

// Who sets no limit is told all the same; one that is no number is not taken
// for none.
func TestPolicies_limit(t *testing.T) {
	t.Parallel()
	const plan = `{"resource_changes":[{"address":"x","type":"mediagen_image","change":{"actions":["create"],` +
		`"before":null,"after":{"purchases":3,"cost":3},"after_unknown":{}}}]}`
	check.Equal(t, "without a limit", repotest.ByJQ(t, plan, nil).Denied, "")
	check.Equal(t, "with --arg limit 2", repotest.ByJQ(t, plan, "2").Denied, "The plan buys 3; the limit is 2.")
	lines := strings.Count(repotest.PolicyFile(t, "purchases.jq")+repotest.PolicyFile(t, "purchases.rego"), "\n")
	check.True(t, "both are short enough to be read", lines <= 85, lines)
}
