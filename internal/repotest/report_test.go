package repotest_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

// planned is one element of resource_changes, of which actions and values are
// JSON; what is empty is null.
type planned struct {
	address, actions, before, after, unknown string

	gone    bool // the refresh has found that the object is gone
	deposed bool
}

func planOf(t *testing.T, changes ...planned) string {
	t.Helper()
	type object map[string]any
	plan := map[string][]object{"resource_changes": {}, "resource_drift": {}}
	raw := func(text, otherwise string) json.RawMessage {
		if text == "" {
			text = otherwise
		}
		return json.RawMessage(text)
	}
	kind := regexp.MustCompile(`(\w+)\.\w+(\[.*\])?$`)
	for _, one := range changes {
		element := object{
			"address": one.address,
			"type":    kind.FindStringSubmatch(one.address)[1],
			"change": object{
				"actions":       raw(one.actions, `["update"]`),
				"before":        raw(one.before, "null"),
				"after":         raw(one.after, "null"),
				"after_unknown": raw(one.unknown, "{}"),
			},
		}
		if one.deposed {
			element["deposed"] = "0123abcd"
		}
		plan["resource_changes"] = append(plan["resource_changes"], element)
		if one.gone {
			plan["resource_drift"] = append(plan["resource_drift"], object{
				"address": one.address,
				"change":  object{"actions": []string{"delete"}},
			})
		}
	}
	text, err := json.Marshal(plan)
	check.Must(t, err)
	return string(text)
}

const (
	groupG    = "mediagen_generation_group.g"
	trainingT = "mediagen_face_lora_training.t"
	header    = "| resource | buys | credits | deletes | why |\n|---|---|---|---|---|\n"
	nothing   = "buys nothing; deletes nothing"
)

// A report says in one line what a plan buys, what that costs, what is deleted
// and what is unconfirmed, and for each such resource why.
func TestReport(t *testing.T) {
	t.Parallel()
	const (
		created   = `{"purchases":2,"cost":2,"deletion_policy":"delete","prompts":{"a":{"prompt":"A","take":null},"b":{"prompt":"B","take":null}},"generations":{"a":{"id":"1"},"b":{"id":"2"}}}`
		kept      = `{"purchases":2,"cost":2,"deletion_policy":"keep","prompts":{"a":{"prompt":"A"},"b":{"prompt":"B"}},"generations":{"a":{"id":"1"},"b":{"id":"2"}}}`
		recreates = `{"deletion_policy":"delete","prompts":{"a":{"prompt":"A"},"b":{"prompt":"B"}},"generations":{}}`
		again     = `{"purchases":true,"cost":true,"id":true,"prompts":{"a":{},"b":{}},"generations":{"a":true,"b":true}}`
		trained   = `{"id":"job_1","purchases":1,"cost":100,"succeeded":true}`
		training  = `{"id":"job_1","purchases":1,"cost":100,"succeeded":null}`
		oneAgain  = `{"id":true,"purchases":true,"cost":true}`
	)
	for name, test := range map[string]struct {
		changes []planned
		sum     string
		rows    []string
	}{
		"nothing": {sum: nothing},
		"created": {
			[]planned{{address: groupG, actions: `["create"]`, after: created}},
			"buys 2 prompts for at most 2 credits; deletes nothing",
			[]string{"`" + groupG + "` | 2 prompts | 2 |  | added"},
		},
		"everything that a prompt can be": {
			[]planned{{
				address: groupG,
				before: `{"purchases":7,"cost":0.7,"deletion_policy":"delete",
					"prompts":{"again":{"take":null},"failed":{},"gone":{"take":1},"kept":{},"removed":{},"text":{"prompt":"A"},"unsent":{}},
					"generations":{"again":{"id":"1"},"failed":{"id":null,"error":"E"},"kept":{"id":"2"},"old name":{"id":"3"},
					"removed":{"id":"4"},"text":{"id":"5"},"unsent":{"id":null,"error":null}}}`,
				after: `{"purchases":13,"cost":1.3,"deletion_policy":"delete",
					"prompts":{"again":{"take":2},"failed":{},"gone":{"take":null},"kept":{},"new":{},"new name":{},"text":{"prompt":"B"},"unsent":{}},
					"generations":{"kept":{"id":"2"},"new name":{"id":"3"}}}`,
				unknown: `{"generations":{"again":true,"failed":true,"gone":true,"kept":{},"new":true,"new name":{},"text":true,"unsent":true}}`,
			}},
			"buys 6 prompts for at most 0.6 credits; deletes 3 pictures",
			[]string{"`" + groupG + "` | 6 prompts | 0.6 | 3 pictures | 1 added: `new`; 1 changed: `text`; 1 gone: `gone`; " +
				"1 not sent before: `unsent`; 1 removed: `removed`; 1 taken again: `again`; 1 tried again: `failed`"},
		},
		"one changed word of a common style": {
			[]planned{styled(199)},
			"buys 199 prompts for at most 199 credits; deletes 199 pictures",
			[]string{"`" + groupG + "` | 199 prompts | 199 | 199 pictures | 199 changed: `k000`, `k001`, `k002`, …"},
		},
		"an unknown text": {
			[]planned{{
				address: groupG,
				before:  created,
				after:   `{"purchases":3,"cost":3,"deletion_policy":"delete","prompts":{"a":{"take":null},"b":{"prompt":"B","take":null}},"generations":{"b":{"id":"2"}}}`,
				unknown: `{"generations":{"a":true,"b":{}},"prompts":{"a":{"prompt":true}}}`,
			}},
			"buys 1 prompt for at most 1 credit; deletes 1 picture",
			[]string{"`" + groupG + "` | 1 prompt | 1 | 1 picture | 1 changed: `a`"},
		},
		"replaced": {
			[]planned{{address: groupG, actions: `["delete","create"]`, before: created, after: recreates, unknown: again}},
			"buys 2 prompts at a cost that the plan does not tell; deletes 2 pictures",
			[]string{"`" + groupG + "` | 2 prompts | not told | 2 pictures | replaced"},
		},
		"created before what it replaces is destroyed": {
			[]planned{{address: groupG, actions: `["create","delete"]`, before: kept, after: recreates, unknown: again}},
			"buys 2 prompts at a cost that the plan does not tell; deletes nothing",
			[]string{"`" + groupG + "` | 2 prompts | not told |  | replaced"},
		},
		"deposed": {
			[]planned{{address: groupG, actions: `["delete"]`, before: created, deposed: true}},
			"buys nothing; deletes 2 pictures",
			[]string{"`" + groupG + "` (deposed) |  |  | 2 pictures | removed"},
		},
		"gone as a whole": {
			[]planned{
				{address: groupG, actions: `["create"]`, after: created, gone: true},
				{address: trainingT, actions: `["create"]`, after: trained, gone: true},
			},
			"buys 2 prompts and 1 training for at most 102 credits; deletes nothing",
			[]string{"`" + groupG + "` | 2 prompts | 2 |  | gone", "`" + trainingT + "` | 1 training | 100 |  | gone"},
		},
		"destroyed": {
			[]planned{
				{address: groupG, actions: `["delete"]`, before: created},
				{address: trainingT, actions: `["delete"]`, before: trained},
			},
			"buys nothing; deletes 2 pictures",
			[]string{"`" + groupG + "` |  |  | 2 pictures | removed"},
		},
		"destroyed and kept":          {[]planned{{address: groupG, actions: `["delete"]`, before: kept}}, nothing, nil},
		"forgotten":                   {[]planned{{address: groupG, actions: `["forget"]`, before: created}}, nothing, nil},
		"forgotten and created anew":  {[]planned{{address: groupG, actions: `["forget","create"]`, before: created, after: created}}, "buys 2 prompts for at most 2 credits; deletes nothing", []string{"`" + groupG + "` | 2 prompts | 2 |  | added"}},
		"unchanged":                   {[]planned{{address: groupG, actions: `["no-op"]`, before: created, after: created}}, nothing, nil},
		"waited for":                  {[]planned{{address: groupG, before: created, after: created, unknown: `{"complete":true}`}}, nothing, nil},
		"imported":                    {[]planned{{address: groupG, before: `{"purchases":0,"cost":0,"prompts":null,"generations":{"a":{"id":"1"}}}`, after: `{"purchases":0,"cost":0,"deletion_policy":"delete","prompts":{"a":{}},"generations":{"a":{"id":"1"}}}`}}, nothing, nil},
		"a renamed key":               {[]planned{{address: groupG, before: created, after: strings.NewReplacer(`"a"`, `"c"`).Replace(created)}}, nothing, nil},
		"a character that was ours":   {[]planned{{address: "mediagen_character.c", actions: `["delete"]`, before: `{"id":"c","deletion_policy":"delete"}`}}, "buys nothing; deletes 1 character", []string{"`mediagen_character.c` |  |  | 1 character | removed"}},
		"a character that is kept":    {[]planned{{address: "mediagen_character.c", actions: `["delete"]`, before: `{"id":"c","deletion_policy":"keep"}`}}, nothing, nil},
		"a character, new or changed": {[]planned{{address: "mediagen_character.c", actions: `["create"]`, after: `{"name":"C"}`, unknown: `{"id":true}`}, {address: "mediagen_character.d", before: `{"id":"d"}`, after: `{"id":"d"}`}}, nothing, nil},
		"a training that runs": {
			[]planned{{address: trainingT, actions: `["delete","create"]`, before: training, after: `{}`, unknown: oneAgain}},
			"buys 1 training at a cost that the plan does not tell; deletes nothing; cancels 1 training",
			[]string{"`" + trainingT + "` | 1 training | not told | cancels 1 training | replaced"},
		},
		"a dataset and images": {
			[]planned{
				{address: "mediagen_dataset.d", actions: `["create"]`, after: `{"purchases":1,"cost":20,"prompts":["A","B"]}`},
				{address: "mediagen_image.i[0]", actions: `["create"]`, after: `{"purchases":1,"cost":0.25}`},
				{address: "mediagen_dataset_image_regeneration.r", actions: `["create"]`, after: `{"purchases":1,"cost":0.25}`},
			},
			"buys 1 dataset and 2 images for at most 20.5 credits; deletes nothing",
			[]string{"`mediagen_dataset.d` | 1 dataset | 20 |  | added", "`mediagen_image.i[0]` | 1 image | 0.25 |  | added", "`mediagen_dataset_image_regeneration.r` | 1 image | 0.25 |  | added"},
		},
		"the answers of models": {
			[]planned{
				{address: "mediagen_chat_completion.c", actions: `["create"]`, after: `{}`, unknown: `{"id":true}`},
				{address: trainingT, actions: `["create"]`, after: trained},
				{address: "mediagen_vision_completion.v", actions: `["no-op"]`, before: `{"id":"v"}`, after: `{"id":"v"}`},
			},
			"buys 1 training and 1 answer for at most 100 credits, and 1 resource at a cost that the plan does not tell; deletes nothing",
			[]string{"`mediagen_chat_completion.c` | 1 answer | not told |  | added", "`" + trainingT + "` | 1 training | 100 |  | added"},
		},
		"prices that came later": {
			[]planned{styledFrom(`"purchases":20,"cost":null`, `"purchases":22,"cost":22`)},
			"buys 2 prompts for at most 2 credits; deletes nothing",
			[]string{"`" + groupG + "` | 2 prompts | 2 |  | 2 added: `x`, `y`"},
		},
		"no price": {
			[]planned{styledFrom(`"purchases":20,"cost":20`, `"purchases":22,"cost":null`)},
			"buys 2 prompts at a cost that the plan does not tell; deletes nothing",
			[]string{"`" + groupG + "` | 2 prompts | not told |  | 2 added: `x`, `y`"},
		},
		"what is free": {
			[]planned{styledFrom(`"purchases":20,"cost":0`, `"purchases":22,"cost":0`)},
			"buys 2 prompts for at most 0 credits; deletes nothing",
			[]string{"`" + groupG + "` | 2 prompts | 0 |  | 2 added: `x`, `y`"},
		},
		"unknown prompts": {
			[]planned{
				{address: groupG, before: created, after: `{"deletion_policy":"delete"}`, unknown: `{"purchases":true,"cost":true,"prompts":true,"generations":true}`},
				{address: trainingT, actions: `["create"]`, after: trained},
			},
			"buys an unknown number of prompts and 1 training for at most 100 credits, and 1 resource at a cost that the plan does not tell; deletes 2 pictures",
			[]string{"`" + groupG + "` | an unknown number of prompts | not told | 2 pictures | unknown prompts", "`" + trainingT + "` | 1 training | 100 |  | added"},
		},
		"an unknown policy": {
			[]planned{{address: groupG, before: created, after: `{"purchases":2,"cost":2,"prompts":{"a":{}},"generations":{"a":{"id":"1"}}}`, unknown: `{"deletion_policy":true}`}},
			"buys nothing; deletes 1 picture",
			[]string{"`" + groupG + "` |  |  | 1 picture | 1 removed: `b`"},
		},
		"unconfirmed": {
			[]planned{
				{address: groupG, actions: `["no-op"]`, before: `{"id":"unconfirmed-1","purchases":2,"unconfirmed_count":2}`, after: `{"purchases":2}`},
				{address: trainingT, actions: `["no-op"]`, before: `{"id":"unconfirmed-2","purchases":1}`, after: `{"purchases":1}`},
			},
			"buys nothing; deletes nothing; 3 unconfirmed",
			[]string{"`" + groupG + "` |  |  |  | 2 unconfirmed", "`" + trainingT + "` |  |  |  | 1 unconfirmed"},
		},
		"modules, counts and aliases": {
			[]planned{
				{address: `module.studio["ada"].mediagen_generation_group.g[1]`, actions: `["create"]`, after: created},
				{address: "module.studio[0].module.inner." + groupG, before: created, after: kept},
				{address: "module.studio[0]." + trainingT, actions: `["create"]`, after: trained},
			},
			"buys 2 prompts and 1 training for at most 102 credits; deletes nothing",
			[]string{"`module.studio[\"ada\"].mediagen_generation_group.g[1]` | 2 prompts | 2 |  | added", "`module.studio[0]." + trainingT + "` | 1 training | 100 |  | added"},
		},
		"others": {
			[]planned{
				{address: "shop_order.o", actions: `["create"]`, after: `{"purchases":5,"cost":5}`},
				{address: "mediagen_generation.read", actions: `["read"]`, after: `{}`, unknown: `{"id":true}`},
			},
			nothing,
			nil,
		},
		"what ends a cell, or calls": {
			[]planned{styledAs(`|`, "`", "@team", "a\nb", `\|`, "<img>", "")},
			"buys 7 prompts for at most 7 credits; deletes nothing",
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := planOf(t, test.changes...)
			repotest.WantReported(t, plan)
			report := repotest.Report(t, plan)
			want := "**Mediagen: " + test.sum + "**\n"
			if test.rows != nil {
				want += "\n" + header + "| " + strings.Join(test.rows, " |\n| ") + " |\n"
				check.Equal(t, "the report", report, want)
			}
			check.True(t, "the sum", strings.HasPrefix(report, want), report, want)
			wantTable(t, report)
		})
	}
}

// styled is a group of which one word of a common style is changed.
func styled(prompts int) planned {
	var before, after, unknown, generations []string
	for i := range prompts {
		before = append(before, fmt.Sprintf(`"k%03d":{"prompt":"old %d"}`, i, i))
		after = append(after, fmt.Sprintf(`"k%03d":{"prompt":"new %d"}`, i, i))
		generations = append(generations, fmt.Sprintf(`"k%03d":{"id":"gen_%d"}`, i, i))
		unknown = append(unknown, fmt.Sprintf(`"k%03d":true`, i))
	}
	life := func(count int, prompts, generations []string) string {
		return fmt.Sprintf(
			`{"purchases":%[1]d,"cost":%[1]d,"deletion_policy":"delete","prompts":{%[2]s},"generations":{%[3]s}}`,
			count,
			strings.Join(prompts, ","),
			strings.Join(generations, ","),
		)
	}
	return planned{
		address: groupG,
		before:  life(prompts, before, generations),
		after:   life(2*prompts, after, nil),
		unknown: `{"generations":{` + strings.Join(unknown, ",") + `}}`,
	}
}

// styledFrom is a group with two prompts more, of which only the numbers differ.
func styledFrom(before, after string) planned {
	return planned{
		address: groupG,
		before:  `{` + before + `,"deletion_policy":"delete","prompts":{},"generations":{}}`,
		after:   `{` + after + `,"deletion_policy":"delete","prompts":{"x":{},"y":{}},"generations":{}}`,
		unknown: `{"generations":{"x":true,"y":true}}`,
	}
}

// styledAs is a group that buys prompts with these keys, at an address that has
// one of them.
func styledAs(keys ...string) planned {
	unknown := map[string]bool{}
	prompts := map[string]any{}
	for _, key := range keys {
		unknown[key] = true
		prompts[key] = map[string]any{}
	}
	text := func(value any) string {
		encoded, _ := json.Marshal(value)
		return string(encoded)
	}
	return planned{
		address: fmt.Sprintf("%s[%q]", groupG, keys[0]),
		before:  `{"purchases":0,"cost":0,"prompts":{},"generations":{}}`,
		after:   fmt.Sprintf(`{"purchases":%[1]d,"cost":%[1]d,"generations":{},"prompts":%[2]s}`, len(keys), text(prompts)),
		unknown: `{"generations":` + text(unknown) + `}`,
	}
}

// wantTable checks that each row of a report has its five cells and nothing
// outside of quotes but our own words, and that a comment can hold the whole.
func wantTable(t *testing.T, report string) {
	t.Helper()
	cell := regexp.MustCompile("(?:`(?:[^`|\\pC]|\\\\\\|)+`|[\\w .:;,…()-]| )*")
	row := regexp.MustCompile(`^\|(?:` + cell.String() + `\|){5}$`)
	for line := range strings.Lines(report) {
		line = strings.TrimSuffix(line, "\n")
		check.True(t, "five cells", !strings.HasPrefix(line, "|") || row.MatchString(line), line)
	}
	check.True(t, "lines", strings.Count(report, "\n") <= 40, report)
	check.True(t, "characters", utf8.RuneCountInString(report) < 60_000, utf8.RuneCountInString(report))
}

// However large a plan is, a comment takes its report, and the sum counts all
// of it. What costs most comes first.
func TestReport_large(t *testing.T) {
	t.Parallel()
	var changes []planned
	for i := range 600 {
		hostile := strings.Repeat("|`", 300)
		one := styledAs(fmt.Sprintf("%s%d", hostile, i), hostile+"2", hostile+"3", "4", "5")
		changes = append(changes, one)
	}
	dearest := styled(1500)
	dearest.address = `module.last["` + strings.Repeat("x", 500) + `"].` + groupG
	plan := planOf(t, append(changes, dearest)...)
	report := repotest.Report(t, plan)
	wantTable(t, report)
	lines := strings.Split(report, "\n")
	check.Equal(t, "the sum", lines[0], "**Mediagen: buys 4500 prompts for at most 4500 credits; deletes 1500 pictures**")
	check.Contains(t, "what costs most", lines[4], "…", groupG+"` | 1500 prompts | 1500 | 1500 pictures |")
	check.Equal(
		t,
		"the rest",
		lines[len(lines)-2],
		"… and 571 resources more: buys 2855 prompts for at most 2855 credits; deletes nothing.",
	)
	check.Equal(
		t,
		"of GitLab's",
		repotest.ReportForGitLab(t, plan),
		any(map[string]any{"create": 4500, "update": 601, "delete": 1500}),
	)
}

// What nobody can count is said first, and GitLab is given no number.
func TestReport_failed(t *testing.T) {
	t.Parallel()
	report := repotest.Report(t, `{"errored":true,"resource_changes":[]}`)
	check.Equal(t, "the report", report, "**Mediagen, of a plan that failed and lacks changes: "+nothing+"**\n")
	unknown := planOf(t, planned{address: groupG, actions: `["create"]`, after: "{}", unknown: `{"purchases":true,"prompts":true}`})
	for _, plan := range []string{`{"errored":true}`, unknown} {
		check.Equal(t, "of GitLab's", repotest.ReportForGitLab(t, plan), any(map[string]any{}))
	}
}

// Both count by the same definitions, in one file each, so that either can be
// copied alone.
func TestReport_definitions(t *testing.T) {
	t.Parallel()
	_, definitions, _ := strings.Cut(repotest.PolicyFile(t, "purchases.jq"), "\n\n")
	definitions, _, _ = strings.Cut(definitions, "def told")
	check.True(t, "there are some", strings.Count(definitions, "def ") == 5, definitions)
	check.Contains(t, "report.jq", repotest.PolicyFile(t, "report.jq"), definitions)
}
