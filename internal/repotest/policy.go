package repotest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/itchyny/gojq"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Verdict is a policy's verdict on a plan: sorted lines of the purchases and of
// their sum, and the reason if the plan is denied.
type Verdict struct {
	Told   []string
	Denied string
}

// Sum returns the line with the sum of all purchases.
func (v Verdict) Sum() string { return v.Told[slices.IndexFunc(v.Told, isSum)] }

func isSum(line string) bool { return strings.HasPrefix(line, "all: ") }

// NotTold is the reason for which a plan with an unknown number of purchases is
// denied.
const NotTold = "The plan does not tell all that it buys."

func policy(name string) string { return filepath.Join("..", "..", "examples", "policy", name) }

// PolicyFile returns the content of a policy of the examples.
func PolicyFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(policy(name))
	check.Must(t, err)
	return string(content)
}

// decode decodes a JSON text into a value. Any other value is encoded as JSON
// first.
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

// ByJQ returns the jq program's verdict on the JSON of a plan.
func ByJQ(t *testing.T, plan string, limit any) (found Verdict) {
	t.Helper()
	for _, result := range printed(t, "purchases.jq", plan, map[string]any{"limit": limit}) {
		if halted := (*gojq.HaltError)(nil); errors.As(asError(result), &halted) && halted.ExitCode() == 1 {
			found.Denied = strings.TrimSpace(fmt.Sprint(halted.Value()))
			break
		}
		line, isLine := result.(string)
		check.True(t, "jq prints lines", isLine, result)
		found.Told = append(found.Told, line)
	}
	slices.Sort(found.Told)
	return found
}

// Report returns the report that report.jq makes from the JSON of a plan.
func Report(t *testing.T, plan string) string {
	t.Helper()
	var lines []string
	for _, result := range printed(t, "report.jq", plan, map[string]any{}) {
		line, isLine := result.(string)
		check.True(t, "jq prints lines", isLine, result)
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Numbers returns the numbers of GitLab's report on a merge request, by
// report.jq.
func Numbers(t *testing.T, plan string) any {
	t.Helper()
	results := printed(t, "report.jq", plan, map[string]any{"as": "numbers"})
	check.Equal(t, "one object", len(results), 1)
	return results[0]
}

// Summary returns the summary that summary.jq makes from the JSON of a plan or
// of a state.
func Summary(t *testing.T, plan string) any {
	t.Helper()
	results := printed(t, "summary.jq", plan, map[string]any{})
	check.Equal(t, "one object", len(results), 1)
	return results[0]
}

// printed returns the output of a program of examples/policy for the JSON of a
// plan: values, followed by an error if the program ends with one.
func printed(t *testing.T, program, plan string, named map[string]any) (values []any) {
	t.Helper()
	query, err := gojq.Parse(PolicyFile(t, program))
	check.Must(t, err)
	code, err := gojq.Compile(query, gojq.WithVariables([]string{"$ARGS"}))
	check.Must(t, err)
	var input any
	decode(t, plan, &input)
	results := code.Run(input, map[string]any{"named": named})
	for result, more := results.Next(); more; result, more = results.Next() {
		values = append(values, result)
		if asError(result) != nil {
			break // a halted program must not be asked for more
		}
	}
	return values
}

// sumOfReport adds up the rows of a report, in the words of purchases.jq.
func sumOfReport(report string) string {
	var purchases, credits any = 0.0, 0.0
	for line := range strings.Lines(report) {
		cells := strings.Split(line, " | ")
		isRow := len(cells) == 5 && strings.HasPrefix(line, "| `")
		if isRow && cells[2] != "" {
			purchases = plus(purchases, cells[1])
			credits = plus(credits, cells[2])
		}
	}
	return fmt.Sprintf("all: purchases %v, credits %v", purchases, credits)
}

// plus adds the number at the beginning of a cell; "unknown" is no number.
func plus(sum any, cell string) any {
	number := 0.0
	known, isKnown := sum.(float64)
	if _, err := fmt.Sscan(cell, &number); err != nil || !isKnown {
		return "unknown"
	}
	return math.Round((known+number)*1e6) / 1e6
}

func asError(value any) error {
	err, _ := value.(error)
	return err
}

// regoTool is the path of internal/tools/rego: make test-rego sets it.
var regoTool = os.Getenv("REGO")

// byRego returns the Rego policy's verdict on the JSON of a plan.
func byRego(t *testing.T, plan string, limit any) (found Verdict) {
	t.Helper()
	const rules = "data.mediagen.purchases."
	query := fmt.Sprintf("[%[1]stold, %[1]sdeny] with %[1]slimit as %[2]v", rules, limit)
	command := exec.CommandContext(t.Context(), regoTool, policy("purchases.rego"), query)
	command.Stdin = strings.NewReader(plan)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", query, err, output)
	}
	var answer [2][]string
	decode(t, string(output), &answer)
	slices.Sort(answer[0])
	return Verdict{answer[0], strings.Join(answer[1], " ")}
}

// WantPolicies checks that both policies agree on the JSON of a plan: the
// purchases, their credits, and that a lower limit denies the plan.
func WantPolicies(t *testing.T, plan string, want ...string) {
	t.Helper()
	slices.Sort(want)
	sum := Verdict{Told: want}.Sum()
	var purchases float64
	_, err := fmt.Sscanf(sum, "all: purchases %v,", &purchases)
	for _, limit := range []float64{purchases, purchases - 1, purchases + 1} {
		expected := Verdict{Told: want}
		switch {
		case err != nil:
			expected.Denied = NotTold
		case limit < purchases:
			expected.Denied = fmt.Sprintf("The plan buys %v; the limit is %v.", purchases, limit)
		}
		WantVerdict(t, plan, limit, expected)
	}
	check.Equal(t, "what the rows of the report sum up to", sumOfReport(Report(t, plan)), sum)
}

// WantVerdict checks the verdicts of both policies at a limit.
func WantVerdict(t *testing.T, plan string, limit float64, want Verdict) {
	t.Helper()
	found := map[string]Verdict{"jq": ByJQ(t, plan, limit)}
	if regoTool != "" {
		found["rego"] = byRego(t, plan, limit)
	}
	for policy, found := range found {
		check.True(t, policy, slices.Equal(found.Told, want.Told) && found.Denied == want.Denied, limit, found, want)
	}
}
