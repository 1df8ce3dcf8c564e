package acctest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/itchyny/gojq"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// budget is what a policy finds in a plan: the keys by group, and the id of a
// training.
type budget struct {
	Purchases any
	Bought    map[string]any
}

func (b budget) isUnknown() bool { return b.Purchases == "unknown" }

// trainings are those among the purchases, datasets and images.
func (b budget) trainings() (count int) {
	for _, keys := range b.Bought {
		if list, _ := keys.([]any); len(list) == 1 && list[0] == "id" {
			count++
		}
	}
	return count
}

func policyFile(t *testing.T, name string) string {
	t.Helper()
	return readFile(t, filepath.Join(examples, "policy", name))
}

// decode reads a text as JSON into a value, or a value by way of its JSON.
func decode(t *testing.T, from, into any) {
	t.Helper()
	text, isText := from.(string)
	if !isText {
		encoded, err := json.Marshal(from)
		check.Must(t, err)
		text = string(encoded)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s\n%s", err, text)
	}
}

// byJQ is what the program says of the JSON of a plan.
func byJQ(t *testing.T, plan string) (found budget) {
	t.Helper()
	query, err := gojq.Parse(policyFile(t, "purchases.jq"))
	check.Must(t, err)
	var input any
	decode(t, plan, &input)
	result, _ := query.Run(input).Next()
	if err, failed := result.(error); failed {
		t.Fatal(err)
	}
	decode(t, result, &found)
	return found
}

// regoTool is the path of internal/tools/rego: make test-rego sets it.
var regoTool = os.Getenv("REGO")

// byRego evaluates a query of the policy on the JSON of a plan.
func byRego(t *testing.T, plan, query string) (value any) {
	t.Helper()
	command := exec.CommandContext(t.Context(), regoTool, filepath.Join(examples, "policy", "purchases.rego"), query)
	command.Stdin = strings.NewReader(plan)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", query, err, output)
	}
	decode(t, string(output), &value)
	return value
}

// wantPolicies checks that both policies find the same in the JSON of a plan.
func wantPolicies(t *testing.T, plan string, want budget) {
	t.Helper()
	if diff := cmp.Diff(want, byJQ(t, plan), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("jq (-want +got):\n%s", diff)
	}
	if regoTool != "" {
		wantRego(t, plan, want)
	}
}

// wantRego checks also that Rego denies what is more, and what nobody knows.
func wantRego(t *testing.T, plan string, want budget) {
	t.Helper()
	const policy = "data.mediagen.purchases."
	denied := func(query string) int { return len(byRego(t, plan, policy+"deny"+query).([]any)) }
	if want.isUnknown() {
		check.True(t, "rego denies it", denied("") != 0)
		return
	}
	purchases := int(want.Purchases.(float64))
	credits := want.trainings()*100 + (purchases - want.trainings())
	const prices = " with " + policy + `prices as {"generation": 1, "training": 100, "dataset": 100, "image": 100}`
	check.Equal(t, "what rego counts", fmt.Sprintf("%v, %v", byRego(t, plan, policy+"bought"), byRego(t, plan, policy+"credits"+prices)), fmt.Sprintf("%d, %d", purchases, credits))
	within := func(purchases, credits any) string {
		return fmt.Sprintf(" with %[1]smax_purchases as %[2]v with %[1]smax_credits as %[3]v", policy, purchases, credits) + prices
	}
	for query, want := range map[string]int{
		within(purchases, credits):                0,
		within(purchases-1, credits):              1,
		within(purchases-1, float64(credits)-0.5): 2,
		strings.NewReplacer(": 100", ": 0", ": 1", ": 0").Replace(within(purchases, 0)): 0,
	} {
		check.Equal(t, query, denied(query), want)
	}
}

// What is unknown of an element, or of a training, in a change that creates or
// updates, counts; nothing else does.
func TestPolicies(t *testing.T) {
	t.Parallel()
	const group = "mediagen_generation_group"
	change := func(kind, actions, unknown string) string {
		return fmt.Sprintf(`{"resource_changes":[{"address":"x","type":%q,"change":{"actions":%s,"after_unknown":%s}}]}`, kind, actions, unknown)
	}
	const elements = `{"id":true,"complete":true,"generations":{"a":true,"b":true,"awaited":{"status":true,"id":false},"kept":{},"false":false},"result_urls":{"awaited":true}}`
	for name, test := range map[string]struct {
		plan string
		want budget
	}{
		"created":                   {change(group, `["create"]`, elements), budget{2.0, map[string]any{"x": []any{"a", "b"}}}},
		"updated":                   {change(group, `["update"]`, elements), budget{2.0, map[string]any{"x": []any{"a", "b"}}}},
		"replaced":                  {change(group, `["create","delete"]`, elements), budget{2.0, map[string]any{"x": []any{"a", "b"}}}},
		"deleted":                   {change(group, `["delete"]`, elements), budget{0.0, nil}},
		"read":                      {change(group, `["read"]`, elements), budget{0.0, nil}},
		"another type":              {change("mediagen_character", `["create"]`, elements), budget{0.0, nil}},
		"all unknown":               {change(group, `["create"]`, `{"generations":true}`), budget{"unknown", map[string]any{"x": "unknown"}}},
		"all unknown and deleted":   {change(group, `["delete"]`, `{"generations":true}`), budget{0.0, nil}},
		"none unknown":              {change(group, `["update"]`, `{"generations":{}}`), budget{0.0, nil}},
		"nothing unknown":           {change(group, `["update"]`, `{}`), budget{0.0, nil}},
		"a training":                {change("mediagen_body_lora_training", `["create"]`, `{"id":true,"status":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"a face":                    {change("mediagen_face_lora_training", `["create"]`, `{"id":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"a training that is waited": {change("mediagen_body_lora_training", `["update"]`, `{"status":true}`), budget{0.0, nil}},
		"a dataset":                 {change("mediagen_dataset", `["create"]`, `{"id":true,"status":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"an image":                  {change("mediagen_image", `["create"]`, `{"id":true,"output":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"a regeneration":            {change("mediagen_dataset_image_regeneration", `["delete","create"]`, `{"id":true}`), budget{1.0, map[string]any{"x": []any{"id"}}}},
		"an answer":                 {change("mediagen_chat_completion", `["create"]`, `{"id":true}`), budget{0.0, nil}},
		"a dataset that is waited":  {change("mediagen_dataset", `["update"]`, `{"status":true}`), budget{0.0, nil}},
		"no changes":                {`{}`, budget{0.0, nil}},
		"errored":                   {`{"errored":true}`, budget{"unknown", nil}},
		"not errored":               {`{"errored":false,"resource_changes":[]}`, budget{0.0, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantPolicies(t, test.plan, test.want)
		})
	}
}

// The policies read the plans of real CLIs.
func TestAccPolicies(t *testing.T) {
	t.Parallel()
	service := newExampleService(t)
	m := newTerminal(t, service, t.TempDir())
	configure := func(later, title, prompts, round string) {
		m.write("main.tf", fmt.Sprintf(versions+`
resource "terraform_data" "later" { input = %q }
resource "mediagen_generation_group" "g" {
  title   = %s
  prompts = { for key, text in %s : key => { prompt = text } }
}
resource "mediagen_body_lora_training" "t" {
  character_id = "char_lin"
  triggers     = { round = %q }
}
`, later, title, prompts, round))
	}
	const (
		g, tr    = "mediagen_generation_group.g", "mediagen_body_lora_training.t"
		titled   = `"Portraits"`
		output   = "terraform_data.later.output"
		two      = `{ a = "A", b = "B" }`
		unknowns = `{ for key in split(" ", ` + output + `) : key => key }`
	)
	shown := func(arguments ...string) string {
		t.Helper()
		_, _ = m.try(append([]string{"plan", "-out=plan"}, arguments...)...)
		return m.run("show", "-json", "plan")
	}
	want := func(what string, purchases any, bought map[string]any, arguments ...string) {
		t.Helper()
		t.Log(what)
		wantPolicies(t, shown(arguments...), budget{purchases, bought})
	}
	both := map[string]any{g: []any{"a", "b"}, tr: []any{"id"}}

	configure("1", output, two, "1")
	want("create with an unknown title", 3.0, both)
	configure("1 2", titled, unknowns, "1")
	want("create with unknown prompts", "unknown", map[string]any{g: "unknown", tr: []any{"id"}})
	configure("1", titled, two, "1")
	want("create", 3.0, both)
	m.run("apply", "plan")
	want("nothing", 0.0, nil)
	want("refresh only", 0.0, nil, "-refresh-only")
	want("destroy", 0.0, nil, "-destroy")
	want("replacement", 3.0, both, "-replace="+g, "-replace="+tr)

	configure("1", `"Faces"`, two, "1")
	want("a title", 0.0, nil)
	configure("1", titled, `{ a = "A", c = "B" }`, "1")
	want("a renamed key", 0.0, nil)
	configure("1", titled, `{ a = "A2", b = "B", c = "C" }`, "2")
	want("update", 3.0, map[string]any{g: []any{"a", "c"}, tr: []any{"id"}})
	configure("2", output, two, "1")
	want("an unknown title", 0.0, nil)
	configure("2", titled, `{ a = "A", b = `+output+` }`, "1")
	want("one unknown text", 1.0, map[string]any{g: []any{"b"}})
	configure("a b", titled, unknowns, "1")
	want("unknown prompts", "unknown", map[string]any{g: "unknown"})

	elsewhere := map[string]string{}
	for i, generation := range service.Groups()[0].Generations {
		elsewhere[fmt.Sprintf("i%d", i)] = generation.ID
	}
	id, err := json.Marshal(elsewhere)
	check.Must(t, err)
	configure("1", titled, two, "1")
	imports := func(more string) {
		m.write("imports.tf", fmt.Sprintf(`
import {
  to = mediagen_generation_group.i
  id = %q
}
resource "mediagen_generation_group" "i" {
  character_id = "char_ada"
  prompts = {
    i0 = { prompt = "Portrait in soft morning light" }
    i1 = { prompt = "On a stage in red light" }
    %s
  }
}
`, id, more))
	}
	imports("")
	want("import", 0.0, nil)
	imports(`i2 = { prompt = "In the rain" }`)
	want("import and add", 1.0, map[string]any{"mediagen_generation_group.i": []any{"i2"}})
	if !m.atLeast(tfversion.Version1_6_0) {
		return // it writes no plan that has failed
	}
	m.setenv("MEDIAGEN_MAX_PURCHASES", "0")
	if plan := shown(); !byJQ(t, plan).isUnknown() {
		t.Errorf("a plan that failed is not unknown: %v", byJQ(t, plan))
	} else {
		wantPolicies(t, plan, byJQ(t, plan))
	}
}
