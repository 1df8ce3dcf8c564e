package acctest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

type shownPlan struct {
	Errored bool
	Changes []change `json:"resource_changes"`

	text string
}

type change struct {
	Address, Type string
	Change        struct {
		Actions       []string
		Before, After struct {
			ID               string
			DeletionPolicy   string `json:"deletion_policy"`
			Succeeded        *bool
			UnconfirmedCount int `json:"unconfirmed_count"`
			Purchases        int
			Prompts          any // a map of a group, a list of a dataset
			Generations      map[string]struct{ ID string }
		}
		AfterUnknown map[string]json.RawMessage `json:"after_unknown"`
		Importing    *struct{ ID string }
	}
}

func (c change) action() string { return strings.Join(c.Change.Actions, "+") }

func (c change) has(actions ...string) bool {
	return slices.ContainsFunc(c.Change.Actions, func(action string) bool { return slices.Contains(actions, action) })
}

func isTrue(value json.RawMessage) bool { return string(value) == "true" }

// purchases is how many the guide says that an apply buys, at most.
func (c change) purchases(t *testing.T) int {
	t.Helper()
	before := c.Change.Before
	after := c.Change.After
	switch unknown := isTrue(c.Change.AfterUnknown["purchases"]); {
	case !c.has("create", "update"):
		return 0
	case !unknown && c.has("create"):
		return after.Purchases
	case !unknown:
		return after.Purchases - before.Purchases
	}
	check.True(t, c.Address+": only what is replaced is not known", c.has("create") && c.has("delete"), c)
	if c.Type != "mediagen_generation_group" {
		return 1
	}
	prompts, _ := after.Prompts.(map[string]any)
	return len(prompts)
}

// bought is what the guide on money says that an apply buys: keys, or id.
func (c change) bought(t *testing.T) (found []string) {
	t.Helper()
	unknown := c.Change.AfterUnknown
	switch {
	case !c.has("create", "update"):
	case c.Type != "mediagen_generation_group":
		if isTrue(unknown["id"]) && c.Type != "mediagen_character" {
			found = append(found, "id")
		}
	case isTrue(unknown["generations"]):
		found = append(found, "unknown")
	case unknown["generations"] != nil:
		var elements map[string]json.RawMessage
		decode(t, string(unknown["generations"]), &elements)
		for _, key := range slices.Sorted(maps.Keys(elements)) {
			if isTrue(elements[key]) {
				found = append(found, key)
			}
		}
	}
	return found
}

// deleted is what the guide says that an apply deletes or cancels: ids.
func (c change) deleted() (found []string) {
	before := c.Change.Before
	after := c.Change.After
	destroyed := c.has("delete")
	switch c.Type {
	case "mediagen_generation_group":
		policy := after.DeletionPolicy
		if destroyed {
			policy = before.DeletionPolicy
		}
		kept := map[string]bool{"": true}
		for _, element := range after.Generations {
			kept[element.ID] = true
		}
		for _, element := range before.Generations {
			if policy == "delete" && !kept[element.ID] {
				found = append(found, element.ID)
			}
		}
	case "mediagen_character":
		if destroyed && before.DeletionPolicy == "delete" {
			found = append(found, before.ID)
		}
	case "mediagen_body_lora_training", "mediagen_face_lora_training":
		if destroyed && before.Succeeded == nil {
			found = append(found, before.ID)
		}
	}
	return found
}

func (m *terminal) plan(file string, arguments ...string) (plan shownPlan) {
	m.t.Helper()
	_, _ = m.try(append([]string{"plan", "-out=" + file}, arguments...)...)
	plan.text = m.run("show", "-json", file)
	decode(m.t, plan.text, &plan)
	return plan
}

func (m *terminal) held() (ids map[string]bool, asked int) {
	ids = map[string]bool{}
	for _, group := range m.Groups() {
		for _, generation := range group.Generations {
			ids[generation.ID] = true
		}
	}
	for _, character := range m.State().Characters {
		ids[character.ID] = true
		for _, job := range character.Trainings {
			ids[job.JobID] = job.Status != "cancelled"
		}
	}
	for _, entry := range m.Ledger().Entries {
		asked += max(len(entry.Prompts), 1)
	}
	for _, route := range []string{
		mockserver.RouteChat,
		mockserver.RouteVision,
		mockserver.RouteCategories,
		mockserver.RouteImage,
	} {
		asked += m.Count(route)
	}
	return ids, asked
}

// keepsPromise: the apply does what the guide reads from the plan.
func (m *terminal) keepsPromise(what string, purchases int, deletions []string, arguments ...string) {
	m.t.Helper()
	plan := m.plan("plan", arguments...)
	bought := 0
	deleted := []string{}
	for _, change := range plan.Changes {
		bought += change.purchases(m.t)
		check.Equal(m.t, what+": purchases of "+change.Address, change.purchases(m.t), len(change.bought(m.t)))
		deleted = append(deleted, change.deleted()...)
	}
	check.Contains(
		m.t,
		what+": what purchases.jq counts",
		repotest.ByJQ(m.t, plan.text, nil).Sum(),
		fmt.Sprintf("all: purchases %d,", bought),
	)
	slices.Sort(deleted)
	diff := cmp.Diff(deletions, deleted, cmpopts.EquateEmpty())
	check.True(m.t, what+": the plan", diff == "" && bought == purchases && !plan.Errored, bought, purchases, diff)
	had, before := m.held()
	m.run("apply", "plan")
	has, after := m.held()
	var gone []string
	for id, was := range had {
		if was && !has[id] {
			gone = append(gone, id)
		}
	}
	slices.Sort(gone)
	diff = cmp.Diff(deletions, gone, cmpopts.EquateEmpty())
	check.True(m.t, what+": the apply", diff == "" && after-before == purchases, after-before, purchases, diff)
}

func TestAccPlanFormat(t *testing.T) {
	tier.Long(t, "each field of a plan")
	tier.OneCLI(t, "which fields a plan has")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	group := func(policy, prompts string) {
		m.write(
			"group.tf",
			fmt.Sprintf(
				"resource \"mediagen_generation_group\" \"g\" {\n  prompts = { for key, text in %s : key => { prompt "+
					"= text } }\n  deletion_policy = %q\n}\n",
				prompts,
				policy,
			),
		)
	}
	others := func(round string) {
		m.write("main.tf", versions+fmt.Sprintf(`
resource "mediagen_character" "created" { name = "Max" }
resource "mediagen_character" "adopted" { id = "char_lin" }
resource "mediagen_body_lora_training" "t" {
  character_id = "char_lin"
  triggers     = { round = %[1]q }
}
resource "mediagen_face_lora_training" "t" {
  character_id = "char_lin"
  triggers     = { round = "1" }
}
resource "mediagen_dataset" "d" {
  character_id = "char_ada"
  triggers     = { round = %[1]q }
}
resource "mediagen_image" "i" {
  prompt   = "A castle"
  triggers = { round = %[1]q }
}
`, round))
	}
	group("delete", `{ a = "A", b = "B", c = "C" }`)
	others("1")
	m.keepsPromise("create", 7, nil)
	generation := map[string]string{}
	for _, known := range m.Groups()[1].Generations {
		generation[known.Prompt] = known.ID
	}
	m.keepsPromise("nothing", 0, nil)
	group("delete", `{ a = "A", renamed = "B", c = "C2", d = "D" }`)
	m.keepsPromise("add, change and rename", 2, []string{generation["C"]})
	group("keep", `{ renamed = "B", c = "C2", d = "D" }`)
	m.keepsPromise("remove and keep from now on", 0, nil)
	group("delete", `{ c = "C2", d = "D" }`)
	m.keepsPromise("remove and delete from now on", 0, []string{generation["B"]})
	group("keep", `{ c = "C2", d = "D" }`)
	m.keepsPromise("keep", 0, nil)
	m.keepsPromise("replace what is kept", 2, nil, "-replace=mediagen_generation_group.g")
	group("delete", `{ c = "C2", d = "D" }`)
	others("2")
	m.keepsPromise("triggers", 3, nil)
	var all []string
	for _, known := range m.Groups()[len(m.Groups())-1].Generations {
		all = append(all, known.ID)
	}
	m.keepsPromise("destroy", 0, append([]string{"char_000004"}, all...), "-destroy")
}

func TestAccPlanFormat_unknown(t *testing.T) {
	tier.Long(t, "each field of a plan")
	t.Parallel()
	s := acctest.NewService(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", FaceImages: 10})
	m := newTerminal(t, s, t.TempDir())
	wait := func(wait bool) {
		m.write("main.tf", versions+fmt.Sprintf(`
resource "mediagen_generation_group" "g" {
  prompts             = { a = { prompt = "A" } }
  wait_for_completion = %[1]t
}
resource "mediagen_body_lora_training" "t" {
  character_id        = "char_ada"
  wait_for_completion = %[1]t
}
`, wait))
	}
	wait(false)
	m.keepsPromise("create", 2, nil)
	wait(true)
	for _, change := range m.plan("plan").Changes {
		bought := change.bought(t)
		check.True(
			t,
			change.Address+" is waited for",
			len(bought) == 0 && len(change.deleted()) == 0 && change.has("update"),
			bought,
			change,
		)
		check.True(
			t,
			"what is waited for has an id",
			change.Change.After.ID != "" &&
				(change.Type != "mediagen_generation_group" || change.Change.After.Generations["a"].ID != ""),
			change,
		)
	}
	m.keepsPromise(
		"destroy",
		0,
		[]string{s.Groups()[0].Generations[0].ID, s.Trainings("char_ada")[0].JobID},
		"-destroy",
	)

	lost := versions +
		`resource "mediagen_generation_group" "lost" { prompts = { a = { prompt = "A" }, b = { prompt = "B" } } }`
	m.write("main.tf", lost)
	m.Fault(mockserver.Fault{Route: mockserver.RouteBatch, Nth: 1, DropAfterWork: true})
	m.keepsPromise("a lost reply", 2, nil)
	plan := m.plan("plan")
	before := plan.Changes[0].Change.Before
	check.True(
		t,
		"a purchase that was never answered",
		strings.HasPrefix(before.ID, "unconfirmed-") && before.UnconfirmedCount == 2 &&
			len(plan.Changes[0].bought(t)) == 0,
		plan,
	)

	m.write("imports.tf", `
import {
  to = mediagen_generation_group.found
  id = "{\"b\": \"`+s.Groups()[0].Generations[1].ID+`\"}"
}
resource "mediagen_generation_group" "found" {
  title   = "Found"
  prompts = { b = { prompt = "B" } }
}
`)
	found := m.plan("plan").Changes[0]
	check.True(
		t,
		"an import",
		found.Change.Importing != nil && found.has("update") && len(found.bought(t))+len(found.deleted()) == 0,
		found,
	)
	m.remove("imports.tf")
	m.write("main.tf", lost+`
resource "mediagen_generation_group" "more" { prompts = { a = { prompt = "A" } } }`)
	m.setenv("MEDIAGEN_MAX_PURCHASES", "0")
	if m.atLeast(tfversion.Version1_6_0) && !m.plan("plan").Errored { // older ones write no such plan
		t.Error("a plan that failed does not say so")
	}
}
