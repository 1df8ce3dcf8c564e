package repotest

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
	"github.com/itchyny/gojq"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// Budget is what a policy finds in a plan: the keys by group, and the id of a
// training.
type Budget struct {
	Purchases any
	Bought    map[string]any
}

// IsUnknown says that a policy cannot tell what is bought.
func (b Budget) IsUnknown() bool { return b.Purchases == "unknown" }

// trainings are those among the purchases, datasets and images.
func (b Budget) trainings() (count int) {
	for _, keys := range b.Bought {
		if list, _ := keys.([]any); len(list) == 1 && list[0] == "id" {
			count++
		}
	}
	return count
}

func policy(name string) string { return filepath.Join("..", "..", "examples", "policy", name) }

// PolicyFile is the content of a policy of the examples.
func PolicyFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(policy(name))
	check.Must(t, err)
	return string(content)
}

// ByJQ is what the program says of the JSON of a plan.
func ByJQ(t *testing.T, plan string) (found Budget) {
	t.Helper()
	query, err := gojq.Parse(PolicyFile(t, "purchases.jq"))
	check.Must(t, err)
	var input any
	check.Must(t, json.Unmarshal([]byte(plan), &input))
	result, _ := query.Run(input).Next()
	if err, failed := result.(error); failed {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(result)
	check.Must(t, err)
	check.Must(t, json.Unmarshal(encoded, &found))
	return found
}

// regoTool is the path of internal/tools/rego: make test-rego sets it.
var regoTool = os.Getenv("REGO")

// byRego evaluates a query of the policy on the JSON of a plan.
func byRego(t *testing.T, plan, query string) (value any) {
	t.Helper()
	command := exec.CommandContext(t.Context(), regoTool, policy("purchases.rego"), query)
	command.Stdin = strings.NewReader(plan)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", query, err, output)
	}
	check.Must(t, json.Unmarshal(output, &value))
	return value
}

// WantPolicies checks that both policies find the same in the JSON of a plan.
func WantPolicies(t *testing.T, plan string, want Budget) {
	t.Helper()
	if diff := cmp.Diff(want, ByJQ(t, plan), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("jq (-want +got):\n%s", diff)
	}
	if regoTool != "" {
		wantRego(t, plan, want)
	}
}

// wantRego checks also that Rego denies what is more, and what nobody knows.
func wantRego(t *testing.T, plan string, want Budget) {
	t.Helper()
	const rules = "data.mediagen.purchases."
	denied := func(query string) int {
		reasons, _ := byRego(t, plan, rules+"deny"+query).([]any)
		return len(reasons)
	}
	if want.IsUnknown() {
		check.True(t, "rego denies it", denied("") != 0)
		return
	}
	counted, _ := want.Purchases.(float64)
	purchases := int(counted)
	credits := want.trainings()*100 + (purchases - want.trainings())
	const prices = " with " + rules + `prices as {"generation": 1, "training": 100, "dataset": 100, "image": 100}`
	counts := fmt.Sprintf("%v, %v", byRego(t, plan, rules+"bought"), byRego(t, plan, rules+"credits"+prices))
	check.Equal(t, "what rego counts", counts, fmt.Sprintf("%d, %d", purchases, credits))
	within := func(purchases, credits any) string {
		return fmt.Sprintf(" with %[1]smax_purchases as %[2]v with %[1]smax_credits as %[3]v", rules, purchases, credits) + prices
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
