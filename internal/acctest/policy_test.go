package acctest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/itchyny/gojq"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// verdict is what a policy says of a plan: sorted lines, of what is bought and of the
// sum, and why the plan is denied, if it is.
type verdict struct {
	told   []string
	denied string
}

// sum is the line of all that is bought.
func (v verdict) sum() string { return v.told[slices.IndexFunc(v.told, isSum)] }

func isSum(line string) bool { return strings.HasPrefix(line, "all: ") }

// notTold is why what nobody can count is denied.
const notTold = "The plan does not tell all that it buys."

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
func byJQ(t *testing.T, plan string, limit any) (found verdict) {
	t.Helper()
	query, err := gojq.Parse(policyFile(t, "purchases.jq"))
	check.Must(t, err)
	code, err := gojq.Compile(query, gojq.WithVariables([]string{"$ARGS"}))
	check.Must(t, err)
	var input any
	decode(t, plan, &input)
	results := code.Run(input, map[string]any{"named": map[string]any{"limit": limit}})
	for result, more := results.Next(); more; result, more = results.Next() {
		if halted := (*gojq.HaltError)(nil); errors.As(asError(result), &halted) && halted.ExitCode() == 1 {
			found.denied = strings.TrimSpace(fmt.Sprint(halted.Value()))
			break
		}
		line, isLine := result.(string)
		check.True(t, "jq prints lines", isLine, result)
		found.told = append(found.told, line)
	}
	slices.Sort(found.told)
	return found
}

func asError(value any) error {
	err, _ := value.(error)
	return err
}

// regoTool is the path of internal/tools/rego: make test-rego sets it.
var regoTool = os.Getenv("REGO")

// byRego is what the policy says of the JSON of a plan.
func byRego(t *testing.T, plan string, limit any) (found verdict) {
	t.Helper()
	const rules = "data.mediagen.purchases."
	query := fmt.Sprintf("[%[1]stold, %[1]sdeny] with %[1]slimit as %[2]v", rules, limit)
	command := exec.CommandContext(t.Context(), regoTool, filepath.Join(examples, "policy", "purchases.rego"), query)
	command.Stdin = strings.NewReader(plan)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", query, err, output)
	}
	var answer [2][]string
	decode(t, string(output), &answer)
	slices.Sort(answer[0])
	return verdict{answer[0], strings.Join(answer[1], " ")}
}

// wantPolicies checks that both policies say the same of the JSON of a plan: what is
// bought, for how many credits, and that a lower limit denies it.
func wantPolicies(t *testing.T, plan string, want ...string) {
	t.Helper()
	slices.Sort(want)
	sum := verdict{told: want}.sum()
	var purchases float64
	_, err := fmt.Sscanf(sum, "all: purchases %v,", &purchases)
	for _, limit := range []float64{purchases, purchases - 1, purchases + 1} {
		expected := verdict{told: want}
		switch {
		case err != nil:
			expected.denied = notTold
		case limit < purchases:
			expected.denied = fmt.Sprintf("The plan buys %v; the limit is %v.", purchases, limit)
		}
		wantVerdict(t, plan, limit, expected)
	}
}

// wantVerdict checks what both policies say at a limit.
func wantVerdict(t *testing.T, plan string, limit float64, want verdict) {
	t.Helper()
	found := map[string]verdict{"jq": byJQ(t, plan, limit)}
	if regoTool != "" {
		found["rego"] = byRego(t, plan, limit)
	}
	for policy, found := range found {
		check.True(t, policy, slices.Equal(found.told, want.told) && found.denied == want.denied, limit, found, want)
	}
}

// A create buys all of its numbers, an update the difference, and a replacement all
// again; nothing else counts. What is not known is denied.
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
		return fmt.Sprintf(`{"resource_changes":[{"address":"x","type":%q,"change":{"actions":%s,"before":%s,"after":%s,"after_unknown":%s}}]}`, kind, actions, before, after, unknown)
	}
	for name, test := range map[string]struct{ plan, says string }{
		"created":             {change(group, `["create"]`, `null`, bought, `{"id":true}`), "purchases 3, credits 0.3"},
		"updated":             {change(group, `["update"]`, `{"purchases":1,"cost":0.1}`, bought, `{}`), "purchases 2, credits 0.2"},
		"imported, added to":  {change(group, `["update"]`, `{"purchases":0,"cost":null}`, bought, `{}`), "purchases 3, credits 0.3"},
		"of a state without":  {change(group, `["update"]`, `{}`, bought, `{}`), "purchases 3, credits 0.3"},
		"without a price":     {change(group, `["update"]`, `{"purchases":1,"cost":1}`, `{"purchases":3,"cost":null}`, `{}`), "purchases 2, credits unknown"},
		"waited for":          {change(group, `["update"]`, bought, bought, `{"complete":true}`), ""},
		"unchanged":           {change(group, `["no-op"]`, bought, bought, `{}`), ""},
		"of no numbers":       {change(group, `["update"]`, `{"purchases":null}`, `{"purchases":null}`, `{}`), ""},
		"deleted":             {change(group, `["delete"]`, bought, `null`, `{}`), ""},
		"read":                {change("mediagen_generation", `["read"]`, `null`, `{}`, `{"id":true}`), ""},
		"of another type":     {change("mediagen_character", `["create"]`, `null`, `{"name":"Max"}`, `{"id":true}`), ""},
		"of another provider": {change("shop_order", `["create"]`, `null`, bought, `{}`), ""},
		"replaced": {change(group, `["delete","create"]`, bought, `{"prompts":{"a":{"prompt":"A"},"b":{}}}`, again+`{"a":{},"b":{"prompt":true},"c":true}}`),
			"purchases 3, credits unknown"},
		"replaced, known":              {change(group, `["create","delete"]`, `{"purchases":5,"cost":9}`, bought, `{}`), "purchases 3, credits 0.3"},
		"replaced by unknown prompts":  {change(group, `["create","delete"]`, bought, `{}`, again+`true}`), unknown},
		"a training":                   {change(training, `["create"]`, `null`, `{"purchases":1,"cost":100}`, `{}`), "purchases 1, credits 100"},
		"a training, replaced":         {change(training, `["create","delete"]`, `{"purchases":1,"cost":100}`, `{}`, `{"purchases":true,"cost":true}`), "purchases 1, credits unknown"},
		"a dataset, replaced":          {change("mediagen_dataset", `["delete","create"]`, `{"purchases":1}`, `{"prompts":["A","B"]}`, again+`[false,false]}`), "purchases 1, credits unknown"},
		"created with unknown prompts": {change(group, `["create"]`, `null`, `{}`, again+`true}`), unknown},
		"updated with unknown prompts": {change(group, `["update"]`, bought, `{}`, again+`{"a":true}}`), unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.says == "" {
				wantPolicies(t, test.plan, none)
				return
			}
			wantPolicies(t, test.plan, "x: "+test.says, "all: "+test.says)
		})
	}
	for _, empty := range []string{`{}`, `{"errored":false,"resource_changes":[]}`} {
		wantPolicies(t, empty, none)
	}
	for _, limit := range []float64{-1, 0, 1} {
		wantVerdict(t, `{"errored":true}`, limit, verdict{[]string{none}, notTold})
	}
}

// Who sets no limit is told all the same; one that is no number is not taken for none.
func TestPolicies_limit(t *testing.T) {
	t.Parallel()
	const plan = `{"resource_changes":[{"address":"x","type":"mediagen_image","change":{"actions":["create"],"before":null,"after":{"purchases":3,"cost":3},"after_unknown":{}}}]}`
	check.Equal(t, "without a limit", byJQ(t, plan, nil).denied, "")
	check.Equal(t, "with --arg limit 2", byJQ(t, plan, "2").denied, "The plan buys 3; the limit is 2.")
	lines := strings.Count(policyFile(t, "purchases.jq")+policyFile(t, "purchases.rego"), "\n")
	check.True(t, "both are short enough to be read", lines <= 70, lines)
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
	want := func(what, sum string, objects []string, arguments ...string) {
		t.Helper()
		t.Log(what)
		wantPolicies(t, shown(arguments...), append(objects, "all: "+sum)...)
	}
	const (
		none    = "purchases 0, credits 0"
		unknown = "purchases unknown, credits unknown"
		once    = tr + ": purchases 1, credits 100"
	)
	both := []string{g + ": purchases 2, credits 0.2", once}
	m.setenv("MEDIAGEN_PRICES", `{"generation": 0.1, "training": 100}`)

	configure("1", output, two, "1")
	want("create with an unknown title", "purchases 3, credits 100.2", both)
	configure("1 2", titled, unknowns, "1")
	want("create with unknown prompts", unknown, []string{g + ": " + unknown, once})
	configure("1", titled, two, "1")
	want("create", "purchases 3, credits 100.2", both)
	m.run("apply", "plan")
	want("nothing", none, nil)
	want("refresh only", none, nil, "-refresh-only")
	want("destroy", none, nil, "-destroy")
	want("replacement", "purchases 3, credits unknown", []string{g + ": purchases 2, credits unknown", tr + ": purchases 1, credits unknown"}, "-replace="+g, "-replace="+tr)

	configure("1", `"Faces"`, two, "1")
	want("a title", none, nil)
	configure("1", titled, `{ a = "A", c = "B" }`, "1")
	want("a renamed key", none, nil)
	configure("1", titled, `{ a = "A2", b = "B", c = "C" }`, "2")
	want("update", "purchases 3, credits unknown", []string{g + ": purchases 2, credits 0.2", tr + ": purchases 1, credits unknown"})
	configure("2", output, two, "1")
	want("an unknown title", none, nil)
	configure("2", titled, `{ a = "A", b = `+output+` }`, "1")
	want("one unknown text", unknown, []string{g + ": " + unknown})
	configure("a b", titled, unknowns, "1")
	want("unknown prompts", unknown, []string{g + ": " + unknown})

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
	want("import", none, nil)
	imports(`i2 = { prompt = "In the rain" }`)
	want("import and add", "purchases 1, credits 0.1", []string{"mediagen_generation_group.i: purchases 1, credits 0.1"})
	if !m.atLeast(tfversion.Version1_6_0) {
		return // it writes no plan that has failed
	}
	m.setenv("MEDIAGEN_MAX_PURCHASES", "0")
	check.Equal(t, "of a plan that failed", byJQ(t, shown(), 50).denied, notTold)
}
