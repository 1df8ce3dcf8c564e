//go:build unix

package acctest_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type object struct {
	Status     string // "tainted", or empty
	Attributes struct {
		ID               string
		Generations      map[string]struct{ ID *string }
		UnconfirmedCount int64 `json:"unconfirmed_count"`
	}
}

type block struct {
	Type, Name string
	Instances  []object
}

func (m *terminal) blocks(file string) []block {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.directory, file))
	if os.IsNotExist(err) || err == nil && len(content) == 0 {
		return nil // nothing was written yet
	}
	check.Must(m.t, err)
	var state struct{ Resources []block }
	check.Must(m.t, json.Unmarshal(content, &state))
	return state.Resources
}

func (m *terminal) objects() map[string]object {
	m.t.Helper()
	found := map[string]object{}
	for _, block := range m.blocks("terraform.tfstate") {
		for _, instance := range block.Instances {
			found[block.Type+"."+block.Name] = instance
		}
	}
	return found
}

func (m *terminal) wantNothingForgotten(before int, at boundary) {
	m.t.Helper()
	objects := m.objects()
	for address, object := range objects {
		check.Equal(m.t, address, object.Status, "")
	}
	var prompts []string
	for _, bought := range m.Ledger().Entries[before:] {
		prompts = append(prompts, bought.Prompts...)
		if bought.Kind == "training" {
			m.wantID(theTraining, bought.ID, at.unknown(mockserver.RouteStartTraining))
		}
	}
	ids := objects[theGroup].generationIDs()
	for _, generation := range m.generations() {
		known := !slices.Contains(prompts, generation.Prompt) || slices.Contains(ids, generation.ID) ||
			slices.Contains(m.unknownPrompts(at), generation.Prompt)
		check.True(m.t, "the state has what was bought", known, generation, ids)
	}
}

func (s scene) wantEnd(m *terminal, at boundary) {
	m.t.Helper()
	s.wantPurchases(m, at)
	if s.command == "destroy" {
		m.wantNothingLeft()
		return
	}
	m.wantNoChanges(s.variables...)
	m.wantID(theCharacter, "char_ada", false)
	m.wantID(theTraining, "job_000001", at.unknown(mockserver.RouteStartTraining))
	image := ""
	for _, asset := range m.Assets("char_ada") {
		if asset.Filename == s.images[len(s.images)-1] {
			image = asset.ID
		}
	}
	m.wantID(theImage, image, false)

	ids := m.objects()[theGroup].generationIDs()
	excused := m.unknownPrompts(at)
	if slices.Contains(excused, addedPrompts[0]) {
		excused = append(excused, firstPrompts[1]) // kept until its successor is there
	}
	check.True(m.t, "the generations in the state", len(ids) == len(firstPrompts)-len(m.unknownPrompts(at)), ids)
	for _, generation := range m.generations() {
		check.True(
			m.t,
			"it is in a state",
			slices.Contains(ids, generation.ID) || slices.Contains(excused, generation.Prompt),
			generation,
		)
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == generation.ID })
	}
	check.True(m.t, "the generations in the state exist", len(ids) == 0, ids)
}

// What was never done, and is not known to be, is not bought again by itself.
// Uploads cost nothing: one without an answer is sent again.
func (s scene) wantPurchases(m *terminal, at boundary) {
	m.t.Helper()
	images := s.images
	trainings := 1
	prompts := slices.Clone(s.prompts)
	switch {
	case at.fate == unanswered && at.route == mockserver.RouteUpload:
		images = append(slices.Clone(images), images[len(images)-1])
	case at.lost(mockserver.RouteStartTraining):
		trainings = 0
	case at.lost(mockserver.RouteBatch):
		prompts = slices.DeleteFunc(
			prompts,
			func(prompt string) bool { return slices.Contains(m.unknownPrompts(at), prompt) },
		)
	}
	var uploaded []string
	for _, asset := range m.Assets("char_ada") {
		uploaded = append(uploaded, asset.Filename)
	}
	bought, purchases := m.bought(0)
	check.Equal(m.t, "the uploads", uploaded, images)
	check.Equal(m.t, "the trainings", purchases["training"], trainings)
	slices.Sort(prompts)
	slices.Sort(bought)
	check.Equal(m.t, "the prompts", bought, prompts)
}

func (m *terminal) wantNothingLeft() {
	m.t.Helper()
	objects := m.objects()
	check.True(m.t, "the state has nothing", len(objects) == 0, slices.Collect(maps.Keys(objects)))
	groups := m.Groups()
	check.True(m.t, "the service has no groups", len(groups) == 0, groups)
	for _, training := range m.Trainings("") {
		check.Equal(m.t, training.JobID, training.Status, "cancelled")
	}
}

func (m *terminal) wantID(address, want string, unknown bool) {
	m.t.Helper()
	got := m.objects()[address].Attributes.ID
	said := unknown && strings.HasPrefix(got, "unconfirmed-")
	check.True(m.t, "the id of "+address, got == want || said, got, want)
}

func (m *terminal) unknownPrompts(at boundary) (prompts []string) {
	m.t.Helper()
	if !at.unknown(mockserver.RouteBatch) {
		return nil
	}
	var batch struct{ Prompts []struct{ Prompt string } }
	check.Must(m.t, json.Unmarshal(m.Requests(at.route)[at.nth-1].Body, &batch))
	for _, prompt := range batch.Prompts {
		prompts = append(prompts, prompt.Prompt)
	}
	return prompts
}

func (m *terminal) generations() (all []mockserver.Generation) {
	for _, group := range m.Groups() {
		all = append(all, group.Generations...)
	}
	return all
}

func (o object) generationIDs() (ids []string) {
	for _, generation := range o.Attributes.Generations {
		if generation.ID != nil {
			ids = append(ids, *generation.ID)
		}
	}
	return ids
}
