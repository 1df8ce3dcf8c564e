//go:build unix

package acctest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/itchyny/gojq"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

const purchaseLog = "purchases.jsonl"

// guided is the guide's program that finds what no state knows.
func guided(t *testing.T) (program string) {
	t.Helper()
	typed := commands(t, "books#finding-what-no-state-knows")
	found := regexp.MustCompile(`(?s)^jq -nR '(.*)'\s+purchases\.jsonl$`).FindStringSubmatch(typed[0])
	if len(typed) != 1 || found == nil {
		t.Fatalf("this is no program:\n%s", typed)
	}
	return found[1]
}

// openIn are the purchases of a file that no state is known to have, as the data
// source lists them.
func openIn(t *testing.T, file string) (open []purchases.Recorded) {
	t.Helper()
	all, err := (&purchases.Log{}).Recorded(t.Context(), file)
	check.Must(t, err)
	for _, one := range all {
		if one.IsOpen != nil && *one.IsOpen {
			open = append(open, one)
		}
	}
	return open
}

func jq(t *testing.T, program, file string) (found []any) {
	t.Helper()
	content := readFile(t, file)
	query, err := gojq.Parse(program)
	check.Must(t, err)
	var lines []any
	for line := range strings.Lines(content) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	code, err := gojq.Compile(query, gojq.WithInputIter(gojq.NewIter(lines...)))
	check.Must(t, err)
	results := code.Run(nil)
	for result, more := results.Next(); more; result, more = results.Next() {
		if err, failed := result.(error); failed {
			t.Fatal(err)
		}
		found = append(found, result)
	}
	return found
}

type logLine struct {
	Type, Outcome   string
	CharacterID     string  `json:"character_id"`
	JobID           string  `json:"job_id"`
	CreditsDeducted float64 `json:"credits_deducted"`
}

func logged(t *testing.T, file string) (lines []logLine) {
	t.Helper()
	content := readFile(t, file)
	for text := range strings.Lines(content) {
		var line logLine
		if json.Unmarshal([]byte(text), &line) == nil {
			lines = append(lines, line)
		}
	}
	return lines
}

func loggedTrainings(t *testing.T, file string) (ids []string) {
	t.Helper()
	for _, line := range logged(t, file) {
		if line.Type == "training" && line.Outcome == "answered" {
			ids = append(ids, line.CharacterID+"/"+line.JobID)
		}
	}
	return ids
}

// The CLI or the provider is killed after a group was bought and before that is
// in the state. The log tells what to import, and nothing is bought again.
// Fault F7.
func TestAccPurchaseLog_importedAfterAKill(t *testing.T) {
	t.Parallel()
	program := guided(t)
	for name, killed := range map[string]scene{"create": creation, "update": update()} {
		for who, kill := range map[string]func(*terminal) signal{
			"the provider": (*terminal).killProvider,
			"all":          killAll,
		} {
			t.Run(name+" "+who, func(t *testing.T) {
				t.Parallel()
				killed := killed // of two tests at once
				killed.logged = true
				m := killed.open(t)
				before := m.objects()[theGroup]
				m.signalled(boundary{mockserver.RouteStatus, 1, unanswered}, kill(m), "apply", planned)
				m.ClearFaults()
				if len(m.generations()) == 0 ||
					len(m.objects()[theGroup].Attributes.Generations) != len(before.Attributes.Generations) {
					t.Fatal("nothing was lost")
				}
				superseded := []any{}
				if killed.setup != nil {
					superseded = append(superseded, *before.Attributes.Generations["changed"].ID)
				}
				m.importFromLog(program, killed, superseded, []any{})
			})
		}
	}
}

// The provider is killed while it deletes what the update removes, or what it
// supersedes. What was deleted, or may have been, is not imported; what has
// stayed is named. Fault F7.
func TestAccPurchaseLog_importedAfterAKilledDeletion(t *testing.T) {
	tier.Long(t, "a killed run and those after it")
	t.Parallel()
	program := guided(t)
	for nth, key := range map[int]string{1: "removed", 2: "changed"} {
		for _, fate := range []fate{lost, unanswered} {
			at := boundary{mockserver.RouteDelete, nth, fate}
			t.Run(at.String(), func(t *testing.T) {
				t.Parallel()
				killed := update()
				killed.logged = true
				m := killed.open(t)
				before := m.objects()[theGroup].Attributes.Generations
				m.signalled(at, m.killProvider(), "apply", planned)
				m.ClearFaults()
				superseded := []any{}
				if key == "removed" {
					superseded = append(superseded, *before["changed"].ID)
				}
				m.importFromLog(program, killed, superseded, []any{*before[key].ID})
			})
		}
	}
}

func (m *terminal) importFromLog(program string, killed scene, superseded, deleting []any) {
	m.t.Helper()
	file := filepath.Join(m.directory, purchaseLog)
	groups := jq(m.t, program, file)
	if len(groups) != 1 {
		m.t.Fatalf("the log has the groups %v", groups)
	}
	found := groups[0].(map[string]any)
	pairs := map[string]string{}
	check.Must(m.t, json.Unmarshal([]byte(found["import_id"].(string)), &pairs))
	delete(found, "group_id")
	delete(found, "import_id")
	open := openIn(m.t, file)
	isBatch := func(entry purchases.Recorded) bool { return entry.Type == "batch" }
	check.True(m.t, "handed to no state is the batch", slices.ContainsFunc(open, isBatch), open)
	check.Equal(m.t, "the log", found, map[string]any{
		"title":        "Ada, interrupted",
		"character_id": "char_ada",
		"certain":      true,
		"superseded":   superseded,
		"deleting":     deleting,
	})
	wanted := len(pairs)
	for _, generation := range m.generations() {
		if slices.Contains(slices.Concat(superseded, deleting), any(generation.ID)) {
			pairs["former "+generation.ID] = generation.ID
		}
	}
	id, err := json.Marshal(pairs)
	check.Must(m.t, err)
	if _, found := m.objects()[theTraining]; !found { // OpenTofu had not saved it yet
		m.run(append(append([]string{"import"}, killed.variables...), theTraining, loggedTrainings(m.t, file)[0])...)
	}
	if killed.setup != nil {
		m.forget(theGroup)
	}
	m.run(append(append([]string{"import"}, killed.variables...), theGroup, string(id))...)
	m.run(append([]string{"apply", "-auto-approve"}, killed.variables...)...)
	m.wantBoughtOnce(killed.prompts)
	m.wantNoChanges(killed.variables...)
	check.Equal(m.t, "how many generations are left", len(m.generations()), wanted)
}

func (m *terminal) wantBoughtOnce(prompts []string) {
	m.t.Helper()
	bought, purchases := m.bought(0)
	slices.Sort(bought)
	check.True(
		m.t,
		"what was bought, once",
		purchases["training"] == 1 && slices.Equal(bought, slices.Sorted(slices.Values(prompts))),
		purchases,
		bought,
		prompts,
	)
}

// A training that was started, and has ended meanwhile, is found in the log.
// Fault F7.
func TestAccPurchaseLog_importedTraining(t *testing.T) {
	tier.Long(t, "a killed run and those after it")
	t.Parallel()
	killed := creation
	killed.logged = true
	m := killed.open(t)
	m.signalled(boundary{mockserver.RouteTraining, 3, unanswered}, m.killProvider(), "apply", planned)
	m.ClearFaults()
	if _, found := m.objects()[theTraining]; found || len(m.Trainings("")) != 1 {
		t.Fatal("nothing was lost")
	}
	ids := loggedTrainings(t, filepath.Join(m.directory, purchaseLog))
	if len(ids) != 1 {
		t.Fatalf("the log has the trainings %v", ids)
	}
	m.run("import", theTraining, ids[0])
	m.run("apply", "-auto-approve")
	m.wantBoughtOnce(killed.prompts)
	m.wantNoChanges()
}

// A batch without a reply is in the state. A relative path follows -chdir.
func TestAccPurchaseLog_books(t *testing.T) {
	tier.Long(t, "a killed run and those after it")
	t.Parallel()
	books := creation
	books.logged = true
	books.setup = []string{}
	m := books.open(t)
	file := filepath.Join(m.directory, purchaseLog)
	var deducted float64
	for _, line := range logged(t, file) {
		deducted += line.CreditsDeducted
	}
	check.Equal(t, "the sum of the log", deducted, m.Ledger().Spent())
	check.Equal(t, "what is open", len(openIn(t, file)), 0)
	outside := *m
	outside.directory = filepath.Dir(m.directory)
	outside.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	outside.shell(
		m.cli,
		"-chdir="+filepath.Base(m.directory),
		"apply",
		"-auto-approve",
		"-no-color",
		"-var=updated=true",
		"-var=wait=false",
	)
	_, err := os.Stat(filepath.Join(outside.directory, purchaseLog))
	check.True(t, "the log is not outside", err != nil)
	check.Equal(t, "what was never answered", len(openIn(t, file)), 1)
	content := readFile(t, file)
	for _, prompt := range slices.Concat(firstPrompts, addedPrompts) {
		check.True(t, "the log holds no prompt", !strings.Contains(content, prompt), prompt)
	}
	check.True(t, "the log does not hold the key", !strings.Contains(content, acctest.APIKey))
	for line := range strings.Lines(content) {
		check.True(t, "a line is JSON", json.Valid([]byte(line)), line)
	}
	if m.hasTools("jq") {
		m.wantSays(m.follow("books#finding-what-no-state-knows", t.TempDir()), `"title": "Ada, interrupted"`)
	}
}

// A destroy plans the configuration first, and so fails on prompts that are not
// bought: what the error suggests works. Fault F28.
func TestAccMaxPurchases_destroy(t *testing.T) {
	tier.Long(t, "a destroy under a limit")
	t.Parallel()
	for name, way := range map[string]func(m *terminal) []string{
		"-refresh=false": func(*terminal) []string { return []string{"-refresh=false"} },
		"unset":          func(m *terminal) []string { m.unsetenv("MEDIAGEN_MAX_PURCHASES"); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bought := creation
			bought.setup = []string{}
			m := bought.open(t)
			m.setenv("MEDIAGEN_MAX_PURCHASES", "0")
			m.wantNoChanges()
			before := m.Ledger()
			for _, command := range []string{"plan", "apply", "destroy"} {
				arguments := []string{command, "-var=updated=true", "-var=wait=false"}
				if command != "plan" {
					arguments = append(arguments, "-auto-approve")
				}
				m.refuses(
					[]string{"Purchase Limit Exceeded", "buys 2 so far", "-refresh=false", "MEDIAGEN_MAX_PURCHASES"},
					arguments...)
			}
			check.True(
				t,
				"nothing was bought or deleted",
				len(m.Ledger().Entries) == len(before.Entries) && len(m.Groups()) == 1,
				m.Story(),
			)
			m.run(append([]string{"destroy", "-auto-approve", "-var=updated=true", "-var=wait=false"}, way(m)...)...)
			check.True(
				t,
				"nothing is left, and nothing was bought",
				len(m.Groups()) == 0 && len(m.objects()) == 0 && len(m.Ledger().Entries) == len(before.Entries),
				m.Story(),
			)
		})
	}
}
