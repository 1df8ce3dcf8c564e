package repotest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// planned is a resource of the JSON of a plan, as its guide promises it.
type planned struct {
	Address string         `json:"address"`
	Deposed string         `json:"deposed,omitempty"`
	Type    string         `json:"type"`
	Change  map[string]any `json:"change"`
}

type object = map[string]any

func planOf(t *testing.T, changes ...planned) string {
	t.Helper()
	encoded, err := json.Marshal(object{"resource_changes": changes})
	check.Must(t, err)
	return string(encoded)
}

// changedGroup has one prompt of each fate, and two pictures of each key.
func changedGroup() planned {
	before := object{
		"id":              "grp_1",
		"deletion_policy": "delete",
		"purchases":       5,
		"cost":            5,
		"prompts":         object{},
		"generations":     object{},
		"result_urls":     object{},
	}
	prompts, _ := before["prompts"].(object)
	generations, _ := before["generations"].(object)
	results, _ := before["result_urls"].(object)
	for _, key := range []string{"changed", "taken", "tried", "gone", "removed", "kept"} {
		prompts[key] = object{"prompt": key, "take": nil}
		generations[key] = object{"id": "gen_" + key}
		results[key] = []string{"https://1", "https://2"}
	}
	delete(generations, "gone")
	generations["tried"] = object{"id": nil}
	after := object{
		"id":              "grp_1",
		"deletion_policy": "delete",
		"purchases":       10,
		"cost":            10,
		"prompts": object{
			"added":   object{"prompt": "added", "take": nil},
			"changed": object{"prompt": "other", "take": nil},
			"taken":   object{"prompt": "taken", "take": 2},
			"tried":   prompts["tried"],
			"gone":    prompts["gone"],
			"kept":    prompts["kept"],
		},
		"generations": object{"kept": generations["kept"]},
	}
	bought := object{}
	for _, key := range []string{"added", "changed", "taken", "tried", "gone"} {
		bought[key] = true
	}
	return planned{
		Address: `module.studio["a|b"].mediagen_generation_group.g`,
		Type:    "mediagen_generation_group",
		Change: object{
			"actions":       []string{"update"},
			"before":        before,
			"after":         after,
			"after_unknown": object{"generations": bought},
		},
	}
}

// A review sees in one line what is bought and deleted, and in a row of each
// resource why.
func TestReport(t *testing.T) {
	t.Parallel()
	training := planned{
		Address: "mediagen_body_lora_training.t",
		Type:    "mediagen_body_lora_training",
		Change: object{
			"actions":       []string{"create"},
			"before":        nil,
			"after":         object{"purchases": 1, "cost": 100},
			"after_unknown": object{"id": true},
		},
	}
	const heads = "\n\n| resource | buys | credits | deletes at the service | why |\n|---|---|---|---|---|\n"
	check.Equal(
		t,
		"a group, and a training",
		repotest.Report(t, planOf(t, changedGroup(), training)),
		"**The plan holds. It buys 5 prompts and 1 training for at most 105 credits. "+
			"It deletes 3 generations with 6 pictures for good.**\n\nBeside that, nothing is planned."+heads+
			"| `module.studio[\"a¦b\"].mediagen_generation_group.g` | 5 prompts | 5 | 3 generations, 6 pictures | "+
			"added: `added`; changed: `changed`; gone: `gone`; taken again: `taken`; tried again: `tried`; "+
			"removed: `removed` |\n"+
			"| `mediagen_body_lora_training.t` | 1 training | 100 |  | new |",
	)
	for name, test := range map[string]struct {
		kind, change, says string
	}{
		"kept": {
			"mediagen_generation_group",
			`{"actions":["delete"],"before":{"deletion_policy":"keep","generations":{"a":{"id":"1"}}},"after":null}`,
			"buys nothing. Nothing is lost.**\n\n" +
				"Beside that, free of credits, it forgets 1 group, and leaves at the service",
		},
		"destroyed": {
			"mediagen_generation_group",
			`{"actions":["delete"],"before":{"deletion_policy":"delete","generations":{"a":{"id":"1"}}},"after":null}`,
			"It deletes 1 generation for good.**",
		},
		"a key renamed": {
			"mediagen_generation_group",
			`{"actions":["update"],"before":{"deletion_policy":"delete","generations":{"a":{"id":"1"}}},` +
				`"after":{"deletion_policy":"delete","generations":{"b":{"id":"1"}}}}`,
			"it renames 1 key.",
		},
		"replaced": {
			"mediagen_generation_group",
			`{"actions":["delete","create"],"before":{"deletion_policy":"delete","generations":{"a":{"id":"1"}}},` +
				`"after":{"prompts":{"a":{"prompt":"A"}}},"after_unknown":{"purchases":true,"prompts":{}}}`,
			"| 1 prompt | unknown | 1 generation | replaced |",
		},
		"imported": {
			"mediagen_generation_group",
			`{"actions":["update"],"importing":{"id":"x"},"before":{"purchases":0,"cost":null,"prompts":{}},` +
				`"after":{"purchases":1,"cost":1,"prompts":{"a":{}}},"after_unknown":{"generations":{"a":true}}}`,
			"it imports 1 group.\n\n",
		},
		"unconfirmed": {
			"mediagen_generation_group",
			`{"actions":["no-op"],"before":{"id":"unconfirmed-1","unconfirmed_count":2},"after":{}}`,
			"It buys nothing. Nothing is lost. 2 purchases are unconfirmed.**",
		},
		"an unknown number": {
			"mediagen_generation_group",
			`{"actions":["create"],"before":null,"after":{},"after_unknown":{"purchases":true,"prompts":true}}`,
			"buys unknown prompts, for credits that the plan does not tell. Nothing is lost.**",
		},
		"without a price": {
			"mediagen_dataset",
			`{"actions":["create"],"before":null,"after":{"purchases":1,"cost":null}}`,
			"buys 1 dataset, for credits that the plan does not tell. Nothing is lost.**",
		},
		"a character": {
			"mediagen_character",
			`{"actions":["delete"],"before":{"deletion_policy":"delete"}}`,
			"It deletes 1 character for good.**",
		},
		"only adopted": {
			"mediagen_character",
			`{"actions":["delete"],"before":{"deletion_policy":"keep"}}`,
			"it forgets 1 character",
		},
		"a running training": {
			"mediagen_face_lora_training",
			`{"actions":["delete"],"before":{"succeeded":null,"purchases":1},"after":null}`,
			"It stops 1 training if still running, and the price is lost.**",
		},
		"a model": {
			"mediagen_chat_completion",
			`{"actions":["create"],"before":null,"after":{},"after_unknown":{"id":true}}`,
			"It buys nothing, and makes 1 call to a model. Nothing is lost.**",
		},
		"somebody else's": {
			"shop_order",
			`{"actions":["create"],"after":{"purchases":3}}`,
			"1 change of other providers, which are not counted here",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := fmt.Sprintf(`{"resource_changes":[{"address":"x","type":%q,"change":%s}]}`, test.kind, test.change)
			check.Contains(t, "the report", repotest.Report(t, plan), test.says)
		})
	}
	check.Equal(
		t,
		"no change",
		repotest.Report(t, `{}`),
		"**The plan holds. It buys nothing. Nothing is lost.**\n\nBeside that, nothing is planned.",
	)
	check.Contains(
		t,
		"a failed plan",
		repotest.Report(t, `{"errored":true}`),
		"**The plan has failed, and cannot be applied. As far as it tells, it buys nothing.",
	)
}

// What a plan does not know yet counts as one.
func TestNumbers(t *testing.T) {
	t.Parallel()
	unknown := planned{
		Address: "mediagen_dataset.d",
		Type:    "mediagen_dataset",
		Change: object{
			"actions":       []string{"update"},
			"before":        object{"purchases": 1},
			"after":         object{},
			"after_unknown": object{"purchases": true},
		},
	}
	described := planned{
		Address: "mediagen_character.c",
		Type:    "mediagen_character",
		Change:  object{"actions": []string{"update"}, "before": object{}, "after": object{}},
	}
	check.Equal(
		t,
		"purchases, other changes, deletions",
		repotest.Numbers(t, planOf(t, changedGroup(), unknown, described)),
		any(map[string]any{"create": 6.0, "update": 1, "delete": 3}),
	)
	check.Equal(
		t,
		"no change",
		repotest.Numbers(t, `{}`),
		any(map[string]any{"create": 0, "update": 0, "delete": 0}),
	)
}

// A comment on GitHub takes 65,536 characters.
func TestReport_isBounded(t *testing.T) {
	t.Parallel()
	var changes []planned
	for i := range 60 {
		group := changedGroup()
		group.Address = fmt.Sprintf("mediagen_generation_group.g[%q]", fmt.Sprint(i, strings.Repeat("夜", 500)))
		after, _ := group.Change["after"].(object)
		unknown, _ := group.Change["after_unknown"].(object)
		prompts, _ := after["prompts"].(object)
		bought, _ := unknown["generations"].(object)
		for n := range 10 {
			key := fmt.Sprint(n, strings.Repeat("|", 500))
			prompts[key] = object{"prompt": "x"}
			bought[key] = true
		}
		changes = append(changes, group)
	}
	report := repotest.Report(t, planOf(t, changes...))
	check.True(t, "its length", utf8.RuneCountInString(report) < 60_000, utf8.RuneCountInString(report))
	check.Contains(t, "its end", report, "… and 20 resources more.")
	check.Contains(t, "its sum", report, "buys 300 prompts")
}
