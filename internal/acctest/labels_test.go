package acctest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// labelledTypes are the types that have labels.
func labelledTypes(t *testing.T) map[string]bool {
	t.Helper()
	labelled := map[string]bool{}
	for name, schema := range acctest.Schemas(t).ResourceSchemas {
		for _, attribute := range schema.Block.Attributes {
			if attribute.Name == "labels" {
				labelled[name] = true
			}
		}
	}
	return labelled
}

// Whatever buys has labels, and nothing else.
func TestLabels_types(t *testing.T) {
	t.Parallel()
	labelled := labelledTypes(t)
	for name, schema := range acctest.Schemas(t).ResourceSchemas {
		buys := false
		for _, attribute := range schema.Block.Attributes {
			buys = buys || attribute.Name == "purchases"
		}
		check.Equal(t, name+" has labels", labelled[name], buys)
	}
}

// invalidLabels are wrong labels, by the attribute that is blamed.
func invalidLabels() map[string][]core.Object {
	many := core.Object{}
	for i := range 51 {
		many[fmt.Sprint("key ", i)] = "x"
	}
	long := strings.Repeat("é", 65)
	return map[string][]core.Object{
		"labels":      {{"labels": many}},
		`labels[""]`:  {{"labels": core.Object{"": "x"}}},
		`labels[" "]`: {{"labels": core.Object{" ": "x"}}},
		`labels["client"]`: {
			{"labels": core.Object{"client": nil}},
			{"labels": core.Object{"client": strings.Repeat("é", 257)}},
			{"labels": core.Object{"client": "a\nb"}},
		},
		fmt.Sprintf("labels[%q]", long): {{"labels": core.Object{long: "x"}}},
	}
}

// labelling is the life of what has labels, with a purchase log.
type labelling struct {
	*acctest.Scenario
	acctest.Subject
	address, log string
}

func newLabelling(t *testing.T, of acctest.Subject, address string) *labelling {
	t.Helper()
	l := &labelling{
		Scenario: acctest.NewForSubjects(t).Scenario(t),
		Subject:  of,
		address:  address,
		log:      filepath.Join(t.TempDir(), "log"),
	}
	l.Set(core.Object{"purchase_log": l.log})
	return l
}

func eachLabelled(t *testing.T, test func(l *labelling)) {
	t.Helper()
	labelled := labelledTypes(t)
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		typeName, _, _ := strings.Cut(address, ".")
		if labelled[typeName] {
			test(newLabelling(t, of, address))
		}
	})
}

// write writes the configuration with labels; nil is none.
func (l *labelling) write(labels any) {
	l.T.Helper()
	config := l.With(nil)
	if labels != nil {
		config["labels"] = labels
	}
	l.Resource(l.address, config)
}

// bought are the labels of each purchase in the log.
func (l *labelling) bought() (labels []map[string]string) {
	l.T.Helper()
	content, err := os.ReadFile(l.log)
	check.Must(l.T, err)
	for line := range strings.Lines(string(content)) {
		var entry struct {
			Outcome string
			Labels  map[string]string
		}
		check.Must(l.T, json.Unmarshal([]byte(line), &entry))
		if entry.Outcome == "sending" {
			labels = append(labels, entry.Labels)
		} else {
			check.True(l.T, "one line has the labels", entry.Labels == nil, line)
		}
	}
	return labels
}

func (l *labelling) wantBought(want ...map[string]string) {
	l.T.Helper()
	got := l.bought()
	check.True(l.T, "the labels in the log", reflect.DeepEqual(got, want), got, want)
}

// changes plans other labels, which changes nothing else and is free.
func (l *labelling) changes(labels any) {
	l.T.Helper()
	before := l.State(l.address)
	bought := l.bought()
	l.write(labels)
	l.ResetJournal()
	plan := l.Plan(core.Refresh(false)).Must()
	check.Equal(l.T, "the plan", plan.Action(l.address), core.Update)
	check.True(l.T, "nothing to say", len(plan.Diagnostics) == 0, plan)
	wantSameBut(l.T, "labels", plan.Change(l.address).After, before)
	l.ApplyPlan(plan).Must()
	l.WantNoRequests(l.T)
	wantSameBut(l.T, "labels", l.State(l.address), before)
	l.wantBought(bought...)
	l.Plan().Must().WantEmpty()
}

func wantSameBut(t testing.TB, name string, got, before core.Object) {
	t.Helper()
	for attribute := range before {
		isSame := attribute == name || reflect.DeepEqual(got[attribute], before[attribute])
		check.True(t, attribute+" stays", isSame, got[attribute], before[attribute])
	}
}

// Labels are those of the environment, of the block and of the object, key by
// key. The state has the object's alone, and a change of them is free.
func TestLabels(t *testing.T) {
	t.Parallel()
	eachLabelled(t, func(l *labelling) {
		l.Environment["MEDIAGEN_LABELS"] = `{"client":"environment","team":"environment","site":"environment"}`
		l.Set(core.Object{
			"purchase_log":   l.log,
			"default_labels": core.Object{"client": "block", "team": "block"},
		})
		l.write(core.Object{"client": "acme", "campaign": "spring"})
		l.Apply().Must()
		l.Want(l.address, core.Object{"labels": core.Object{"client": "acme", "campaign": "spring"}})
		l.wantBought(map[string]string{
			"client":   "acme",
			"campaign": "spring",
			"team":     "block",
			"site":     "environment",
		})
		l.Plan().Must().WantEmpty()
		l.changes(core.Object{"client": "umbra"})
		l.Want(l.address, core.Object{"labels": core.Object{"client": "umbra"}})
		l.changes(core.Object{})
		l.write(nil)
		l.Plan().Must().WantEmpty()
		l.Want(l.address, core.Object{"labels": core.Object{}})
	})
}

// Defaults are in the log alone: a change of theirs is no change of the object.
func TestLabels_defaults(t *testing.T) {
	t.Parallel()
	eachLabelled(t, func(l *labelling) {
		defaults := func(client any) {
			l.Set(core.Object{"purchase_log": l.log, "default_labels": core.Object{"client": client}})
		}
		defaults(core.UnknownUntilApply("acme"))
		l.write(nil)
		l.Apply().Must()
		l.wantBought(map[string]string{"client": "acme"})
		l.Want(l.address, core.Object{"labels": core.Object{}})
		defaults("umbra")
		l.Plan().Must().WantEmpty()
	})
}

// What a plan does not know of labels makes nothing else unknown.
func TestLabels_unknown(t *testing.T) {
	t.Parallel()
	eachLabelled(t, func(l *labelling) {
		l.write(core.Object{"client": core.UnknownUntilApply("acme")})
		l.Apply().Must()
		l.wantBought(map[string]string{"client": "acme"})
		before := l.State(l.address)
		for _, labels := range []any{
			core.Object{"client": core.UnknownUntilApply("umbra")},
			core.UnknownUntilApply(core.Object{"client": "globex"}),
		} {
			l.write(labels)
			l.ResetJournal()
			plan := l.Plan(core.Refresh(false)).Must()
			check.Equal(l.T, "the plan", plan.Action(l.address), core.Update)
			wantSameBut(l.T, "labels", plan.Change(l.address).After, before)
			l.ApplyPlan(plan).Must()
			l.WantNoRequests(l.T)
			wantSameBut(l.T, "labels", l.State(l.address), before)
		}
		l.Want(l.address, core.Object{"labels": core.Object{"client": "globex"}})
		l.wantBought(map[string]string{"client": "acme"})
	})
}

// A plan that does not know the labels still says what the log guards.
func TestLabels_unknownAndGuarded(t *testing.T) {
	t.Parallel()
	eachLabelled(t, func(l *labelling) {
		l.write(nil)
		l.Apply().Must()
		other := l.Service.Scenario(l.T)
		other.Set(core.Object{"purchase_log": l.log})
		config := l.With(core.Object{"labels": core.UnknownUntilApply(core.Object{"client": "acme"})})
		said := other.Plans(l.address, config).Warnings()
		check.True(l.T, "the plan says so", len(said.Find("Another Run Has Bought This")) == 1, said)
	})
}

// An import reads no labels, and the next plan shows those that are configured:
// a free update.
func TestLabels_import(t *testing.T) {
	t.Parallel()
	eachLabelled(t, func(l *labelling) {
		if l.ImportID == nil {
			return
		}
		l.write(nil)
		l.Apply().Must()
		id := l.ImportID(l.State(l.address))
		other := l.Service.Scenario(l.T)
		other.Import(l.address, id).Must()
		other.Want(l.address, core.Object{"labels": nil})
		other.Resource(l.address, l.With(core.Object{"labels": core.Object{"client": "acme"}}))
		plan := other.Plan().Must()
		check.Equal(l.T, "the plan", plan.Action(l.address), core.Update)
		check.True(l.T, "it buys nothing", len(plan.UnknownIDs(l.address)) == 0, plan)
		l.ResetJournal()
		other.ApplyPlan(plan).Must()
		l.WantNoRequests(l.T)
		other.Want(l.address, core.Object{"labels": core.Object{"client": "acme"}})
		other.Plan().Must().WantEmpty()
	})
}

// A purchase has the labels of its time.
func TestLabels_later(t *testing.T) {
	t.Parallel()
	eachLabelled(t, func(l *labelling) {
		edit := l.Replaces["triggers"]
		if edit == nil {
			edit = core.Object{"prompts": core.Object{"later": core.Object{"prompt": "at noon"}}}
		}
		l.FailNextTraining() // a face that is trained is not trained again
		l.write(core.Object{"client": "acme"})
		l.Apply().Must()
		l.write(core.Object{"client": "umbra"})
		l.Apply().Must()
		l.wantBought(map[string]string{"client": "acme"})
		config := l.With(edit)
		config["labels"] = core.Object{"client": "umbra"}
		l.Applies(l.address, config)
		labels := l.bought()
		isOfThen := labels[0]["client"] == "acme"
		isOfNow := slices.ContainsFunc(labels[1:], func(its map[string]string) bool { return its["client"] == "umbra" })
		check.True(l.T, "each has its own", isOfThen && isOfNow, labels)
	})
}

// No request has a label, whatever becomes of the object.
func TestLabels_areNeverSent(t *testing.T) {
	t.Parallel()
	const key, text = "neversentkey", "neversenttext"
	labels := core.Object{key: text}
	eachLabelled(t, func(l *labelling) {
		l.Set(core.Object{
			"purchase_log":   l.log,
			"default_labels": core.Object{key + "2": text},
			"extended_reads": true,
		})
		l.write(labels)
		l.Apply().Must()
		edits := maps.Clone(l.Updates)
		if edits == nil {
			edits = map[string]core.Object{}
		}
		maps.Copy(edits, l.Replaces)
		for _, name := range slices.Sorted(maps.Keys(edits)) {
			config := l.With(edits[name])
			config["labels"] = labels
			l.Resource(l.address, config)
			l.Apply() // some is refused
		}
		l.Destroy()
		check.True(l.T, "it was bought", l.Count(l.Makes) != 0)
		for _, sent := range l.Journal() {
			text := fmt.Sprint(sent.Path, sent.Query, sent.Header, string(sent.Body))
			check.True(l.T, "no label is sent", !strings.Contains(text, "neversent"), text)
		}
	})
}

// A kill leaves an entry with labels: what lives is found by what was sent alone.
func TestLabels_guardNothing(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.groupAt(killedGroup, core.Object{"labels": core.Object{"client": "acme"}})
	k.killedBy(afterBatch)
	k.groupAt(killedGroup, core.Object{"labels": core.Object{"client": "umbra"}})
	k.refused()
	k.wantBought(1, 0, 0)
}
