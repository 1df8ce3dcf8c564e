package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const purchasesType = "mediagen_purchases"

// read reads the data source, which sends nothing.
func read(t *testing.T, s *acctest.Scenario, config core.Object) core.Object {
	t.Helper()
	s.ResetJournal()
	found, diagnostics := s.DataSource(purchasesType, config)
	check.True(t, "no diagnostics", len(diagnostics) == 0, diagnostics)
	s.WantNoRequests(t)
	return found
}

func want(t *testing.T, found core.Object, values core.Object) {
	t.Helper()
	for path, value := range values {
		check.Equal(t, path, core.Lookup(found, path), value)
	}
}

// What a group and a training have bought is in the log with what the service
// said; a later run closes it.
func TestPurchases(t *testing.T) {
	t.Parallel()
	s := acctest.NewScenario(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "ada", Name: "Ada", FaceImages: 10})
	log := filepath.Join(t.TempDir(), "purchases.jsonl")
	s.Set(core.Object{"purchase_log": log})
	want(t, read(t, s, nil), core.Object{"purchases": []any{}, "totals": []any{}}) // it begins with a purchase
	s.Resource("mediagen_generation_group.g", core.Object{
		"character_id": "ada",
		"title":        "Portraits",
		"prompts": core.Object{
			"a": core.Object{"prompt": "A"},
			"b": core.Object{"prompt": "B"},
		},
	})
	s.Resource("mediagen_body_lora_training.t", core.Object{"character_id": "ada"})
	s.Apply().Must()
	group := s.State("mediagen_generation_group.g")
	found := read(t, s, nil)
	purchases, _ := found["purchases"].([]any)
	check.Equal(t, "purchases", len(purchases), 2)
	for i, purchase := range purchases {
		said, _ := purchase.(core.Object)
		if said["type"] == "batch" {
			check.Equal[any](
				t,
				"its import",
				said["import_id"],
				`{"a":"`+core.Lookup(group, `generations["a"].id`).(string)+
					`","b":"`+core.Lookup(group, `generations["b"].id`).(string)+`"}`,
			)
			want(t, said, core.Object{
				"character_id": "ada",
				"group_id":     group["id"],
				"title":        "Portraits",
				"keys":         []any{"a", "b"},
				"outcome":      "answered",
				"open":         true,
				"credits":      group["credits_deducted"],
			})
			continue
		}
		job := s.State("mediagen_body_lora_training.t")["id"].(string)
		want(t, said, core.Object{
			"type":      "training",
			"title":     nil,
			"keys":      []any{},
			"import_id": "ada/" + job,
			"open":      true,
		})
		check.True(t, "when it was sent", said["time"] != nil && said["request"] != nil, i, said)
	}
	want(t, found, core.Object{
		"totals[0].type":      "batch",
		"totals[0].requests":  int64(1),
		"totals[0].purchases": int64(2),
		"totals[1].type":      "training",
		"totals[1].purchases": int64(1),
	})
	s.Refresh().Must()
	want(t, read(t, s, core.Object{"open_only": true}), core.Object{"purchases": []any{}, "totals": []any{}})
	want(t, read(t, s, core.Object{"path": log}), core.Object{"purchases[0].open": false})
}

// Of each outcome the log says what it knows, and nothing else.
func TestPurchases_outcomes(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	check.Must(t, os.WriteFile(log, []byte(strings.Join([]string{
		`{"time":"T1","request":"r1","type":"batch","outcome":"sending","version":2,"by":{"run":"x"},` +
			`"prompts":{"a":"1","b":"2"}}`,
		`{"time":"T2","request":"r1","type":"batch","outcome":"answered","rejected":["b"],` +
			`"generations":{"a":"gen_1"},"credits_deducted":0.1}`,
		`{"time":"T3","request":"r2","type":"batch","outcome":"sending","version":2,"by":{"run":"x"},` +
			`"prompts":{"a":"1"}}`,
		`{"time":"T4","request":"r2","type":"batch","outcome":"refused","status":422}`,
		`{"time":"T5","request":"r3","type":"batch","outcome":"sending","version":2,"by":{"run":"x"},` +
			`"prompts":{"c":"3"}}`,
		`{"time":"T6","request":"r4","type":"dataset","outcome":"sending","version":2,"by":{"run":"x"},` +
			`"character_id":"a/b"}`,
		`{"time":"T7","request":"r4","type":"dataset","outcome":"answered","character_id":"a/b","job_id":"j"}`,
		`{"time":"T8","request":"r4","type":"dataset","outcome":"stored"}`,
		`{"time":"T9","request":"r5","type":"delete_group","outcome":"sending","group_id":"g"}`,
		`{"time":"T9","request":"r6","type":"image","outcome":"sending"}`,
		`{"time":"T9","request":"r7","type":"batch","outcome":"sending","version":2,"by":{"run":"x"},` +
			`"prompts":{"a":"1"}}`,
		`{"time":"T9","request":"r7","type":"batch","outcome":"answered","generations":{"a":"gen_9"},` +
			`"credits_deducted":0.2}`,
		`half a li`,
	}, "\n")), 0o600))
	s := acctest.NewScenario(t)
	found := read(t, s, core.Object{"path": log})
	want(t, found, core.Object{
		"purchases[0].time":      "T1",
		"purchases[0].keys":      []any{"a"},
		"purchases[0].import_id": `{"a":"gen_1"}`,
		"purchases[0].open":      true,
		"purchases[1].outcome":   "refused",
		"purchases[1].open":      false,
		"purchases[2].outcome":   "sending",
		"purchases[2].open":      true,
		"purchases[2].credits":   nil,
		"purchases[2].import_id": nil,
		"purchases[3].outcome":   "answered",
		"purchases[3].open":      false,
		"purchases[3].import_id": "a%2Fb/j",
		"purchases[4].type":      "image",
		"purchases[4].open":      nil, // an earlier build's
		"totals[0].type":         "batch",
		"totals[0].requests":     int64(3),
		"totals[0].purchases":    int64(3),
		"totals[0].credits":      0.3,
		"totals[1].type":         "dataset",
		"totals[1].credits":      nil,
	})
	open := read(t, s, core.Object{"path": log, "open_only": true})
	want(t, open, core.Object{
		"purchases[0].request": "r1",
		"purchases[1].request": "r3",
		"purchases[2].request": "r7",
		"purchases[3]":         nil,
	})
}

// A log that is not there is an error of its path, before anything is sent.
func TestPurchases_unreadable(t *testing.T) {
	t.Parallel()
	s := acctest.NewScenario(t)
	directory := t.TempDir()
	for name, test := range map[string]struct {
		config core.Object
		says   string
	}{
		"no log":           {nil, "Set path, or purchase_log"},
		"no file":          {core.Object{"path": filepath.Join(directory, "missing")}, "not exist"},
		"a directory":      {core.Object{"path": directory}, "Check that the file or the store can be read"},
		"an empty address": {core.Object{"path": " "}, "blank"},
	} {
		_, diagnostics := s.DataSource(purchasesType, test.config)
		said := diagnostics.Errors().At("path")
		check.True(t, name, len(said) == 1 && strings.Contains(said[0].String(), test.says), diagnostics)
	}
	s.WantNoRequests(t)
}

// Two people and a job buy by one log, which says who has bought what.
func TestPurchases_authors(t *testing.T) {
	t.Parallel()
	const job = "https://gitlab.example/studio/media/-/jobs/7"
	ada := acctest.NewScenario(t)
	log := filepath.Join(t.TempDir(), "log")
	buys := func(s *acctest.Scenario, user, machine string) {
		t.Helper()
		ada.User = user
		ada.Machine = machine
		s.Set(core.Object{"purchase_log": log})
		s.Applies("mediagen_image.i", core.Object{"prompt": "By " + user})
	}
	buys(ada, "ada", "laptop")
	buys(ada.Scenario(t), "grace", "laptop")
	ada.Environment["CI_JOB_URL"] = job
	ada.Environment["GITLAB_USER_LOGIN"] = "grace"
	buys(ada.Scenario(t), "runner", "pod-1")
	want(t, read(t, ada, nil), core.Object{
		"purchases[0].user": "ada",
		"purchases[0].host": "laptop",
		"purchases[0].job":  nil,
		"purchases[1].user": "grace",
		"purchases[1].host": "laptop",
		"purchases[2].user": "grace",
		"purchases[2].host": "pod-1",
		"purchases[2].job":  job,
	})
	for name, test := range map[string]struct {
		inputs core.Object
		count  int64
	}{
		"a user":            {core.Object{"user": "grace"}, 2},
		"a host":            {core.Object{"host": "laptop"}, 2},
		"a user on a host":  {core.Object{"user": "grace", "host": "laptop"}, 1},
		"a job":             {core.Object{"job": job}, 1},
		"a part of a name":  {core.Object{"user": "gra"}, 0},
		"nobody's and open": {core.Object{"user": "runner", "open_only": true}, 0},
	} {
		found := read(t, ada, test.inputs)
		listed, _ := found["purchases"].([]any)
		check.Equal(t, name, int64(len(listed)), test.count)
		if test.count > 0 {
			want(t, found, core.Object{"totals[0].requests": test.count})
		}
	}
}

// What was bought for a client is listed and added up by its labels.
func TestPurchases_labels(t *testing.T) {
	t.Parallel()
	const by = `"version":2,"by":{"run":"x"},`
	log := filepath.Join(t.TempDir(), "log")
	check.Must(t, os.WriteFile(log, []byte(strings.Join([]string{
		`{"time":"T1","request":"r1","type":"batch","outcome":"sending",` + by +
			`"labels":{"client":"acme","team":"a"},"prompts":{"a":"1","b":"2"}}`,
		`{"time":"T1","request":"r1","type":"batch","outcome":"answered","credits_deducted":0.1}`,
		`{"time":"T2","request":"r2","type":"training","outcome":"sending",` + by + `"labels":{"client":"acme"}}`,
		`{"time":"T2","request":"r2","type":"training","outcome":"answered","credits_deducted":0.2}`,
		`{"time":"T3","request":"r3","type":"image","outcome":"sending",` + by +
			`"labels":{"client":"umbra","team":"a"}}`,
		`{"time":"T4","request":"r4","type":"image","outcome":"sending",` + by + `"labels":{"client":"acme"}}`,
		`{"time":"T4","request":"r4","type":"image","outcome":"refused","status":422}`,
		`{"time":"T5","request":"r5","type":"image","outcome":"sending",` + by + `"labels":{}}`,
	}, "\n")+"\n"), 0o600))
	s := acctest.NewScenario(t)
	want(t, read(t, s, core.Object{"path": log}), core.Object{
		"purchases[0].labels":          core.Object{"client": "acme", "team": "a"},
		"purchases[1].labels":          core.Object{"client": "acme"},
		"purchases[4].labels":          core.Object{},
		"totals_by_label[0].key":       "client",
		"totals_by_label[0].value":     "acme",
		"totals_by_label[0].requests":  int64(2),
		"totals_by_label[0].purchases": int64(3),
		"totals_by_label[0].credits":   0.3,
		"totals_by_label[1].value":     "umbra",
		"totals_by_label[1].credits":   nil,
		"totals_by_label[2].key":       "team",
		"totals_by_label[2].value":     "a",
		"totals_by_label[2].purchases": int64(3),
		"totals_by_label[3]":           nil,
	})
	want(t, read(t, s, core.Object{"path": log, "labels": core.Object{"client": "acme"}}), core.Object{
		"purchases[0].request":        "r1",
		"purchases[1].request":        "r2",
		"purchases[2].request":        "r4",
		"purchases[3]":                nil,
		"totals[0].type":              "batch",
		"totals_by_label[1].key":      "team",
		"totals_by_label[1].requests": int64(1),
	})
	want(t, read(t, s, core.Object{"path": log, "labels": core.Object{"client": "acme", "team": "a"}}), core.Object{
		"purchases[0].request": "r1",
		"purchases[1]":         nil,
	})
	want(t, read(t, s, core.Object{"path": log, "labels": core.Object{"team": "acme"}}), core.Object{
		"purchases":       []any{},
		"totals_by_label": []any{},
	})
}
