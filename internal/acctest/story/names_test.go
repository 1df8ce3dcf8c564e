package story_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func (s *story) inState() map[string]bool {
	ids := map[string]bool{}
	for _, entry := range s.Entries() {
		if id, ok := entry.Attributes["id"].(string); ok {
			ids[id] = true
		}
		generations, _ := entry.Attributes["generations"].(core.Object)
		for key := range generations {
			if id, ok := core.Lookup(generations[key].(core.Object), "id").(string); ok {
				ids[id] = true
			}
		}
		for _, superseded := range s.superseded(entry) {
			for _, id := range superseded {
				ids[id] = true
			}
		}
	}
	return ids
}

func (s *story) superseded(entry core.Entry) map[string][]string {
	var private struct {
		Superseded map[string][]string `json:"superseded"`
	}
	if raw, found := entry.Private["state"]; found {
		err := json.Unmarshal(raw, &private)
		s.must(err == nil, "private state of %s: %s", entry.Address, err)
	}
	return private.Superseded
}

// isShown: each generation was shown by a status, or is nobody's.
func (s *story) isShown(generations ...mockserver.Generation) bool {
	shown := map[string]bool{}
	for _, entry := range s.Entries() {
		var private struct {
			Seen map[string]bool `json:"seen"`
		}
		_ = json.Unmarshal(entry.Private["state"], &private) // an import may have none
		maps.Copy(shown, private.Seen)
	}
	return !slices.ContainsFunc(
		generations,
		func(g mockserver.Generation) bool { return !shown[g.ID] && !s.excused[g.ID] },
	)
}

func (s *story) checkNames(said core.Diagnostics) {
	named := s.inState()
	maps.Copy(s.ever, named)
	known := func(id string) bool { return named[id] || s.excused[id] || strings.Contains(s.told.String(), id) }
	there := map[string]bool{}
	judge := func(what, id string, explained func() bool) {
		there[id] = true
		switch {
		case known(id):
		case s.seen[id]:
			s.T.Fatalf("the %s %s is at the service and no longer in the state, and nothing says so", what, id)
		case s.kill || explained():
			s.excused[id] = true
		default:
			s.T.Fatalf("the %s %s is at the service, and neither the state nor a message names it", what, id)
		}
	}
	for _, g := range s.ourGroups() {
		for _, generation := range g.Generations {
			judge("generation", generation.ID, func() bool { return s.unconfirmedPrompt(said, generation.Prompt) })
		}
		switch {
		case s.disturbed[g.ID]:
		case len(g.Generations) > 0 && !named[g.ID]:
			there[g.ID] = true // it is known by its generations
		default:
			judge(
				"group",
				g.ID,
				func() bool {
					return len(said.Find("Unconfirmed")) > 0 || len(g.Generations) == 0 && unnamedGroup(said)
				},
			)
		}
	}
	for _, job := range s.Trainings("") {
		if s.elsewhere[job.JobID] || s.ever[job.JobID] && !active(job) {
			continue
		}
		judge("training", job.JobID, func() bool { return s.unknownTraining(said, job.CharacterID) })
	}
	s.seen = there
}

// unnamedGroup: a batch was refused whole, and the message names no group that
// was made for it.
func unnamedGroup(said core.Diagnostics) bool {
	return slices.ContainsFunc(said, func(d core.Diagnostic) bool {
		refused := regexp.MustCompile(`every prompt was rejected|it refused the batch|\(Submit Generation Batch\)`).
			MatchString(d.Detail)
		return refused && !strings.Contains(d.Detail, "group_id")
	})
}

// unnamedIn are summaries of messages that name keys of prompts whose ids are
// not all known.
var unnamedIn = regexp.MustCompile("Unconfirmed|Given One Generation|Share a Generation")

// unconfirmedPrompt: a message names the key, since the id is not known; or
// another key, if a status has said since whose the only id is: then the state
// says unconfirmed for this one.
func (s *story) unconfirmedPrompt(said core.Diagnostics, text string) bool {
	for address, g := range s.config.groups {
		for key, p := range g.prompts {
			if p.text == text && slices.ContainsFunc(said, func(d core.Diagnostic) bool {
				named := strings.Contains(d.Detail, strconv.Quote(key)) ||
					generationsOf(s.State(address))[key]["status"] == "unconfirmed"
				return d.Address == address && unnamedIn.MatchString(d.Summary) && named
			}) {
				return true
			}
		}
	}
	return false
}

func (s *story) unknownTraining(said core.Diagnostics, character string) bool {
	return slices.ContainsFunc(said, func(d core.Diagnostic) bool {
		return strings.HasPrefix(d.Summary, unconfirmedTraining) && strings.Contains(d.Detail, strconv.Quote(character))
	})
}

// checkAddresses: result_urls has the keys of the prompts. A plan shows it as
// unknown where the outcome is; the state has addresses only where a generation
// has succeeded.
func (s *story) checkAddresses(plan *core.Plan) {
	if plan != nil {
		for _, change := range plan.Changes {
			if !change.Deposed && change.After != nil && strings.HasPrefix(change.Address, groupType) {
				s.checkAddressesOf(change.Address+" as planned", change.After)
			}
		}
	}
	for _, entry := range s.Entries() {
		if strings.HasPrefix(entry.Address, groupType) {
			s.checkAddressesOf(entry.Address, entry.Attributes)
		}
	}
}

func (s *story) checkAddressesOf(what string, group core.Object) {
	addresses, known := group["result_urls"].(core.Object)
	if !known {
		s.must(
			group["result_urls"] == core.Unknown && group["generations"] == core.Unknown,
			"%s: result_urls is %v",
			what,
			group["result_urls"],
		)
		return
	}
	prompts := group["prompts"].(core.Object)
	keys := slices.Sorted(maps.Keys(addresses))
	want := slices.Sorted(maps.Keys(prompts))
	s.must(cmp.Equal(keys, want), "%s: result_urls has the keys %q, want %q", what, keys, want)
	generations := generationsOf(group)
	for key, of := range addresses {
		list, isList := of.([]any)
		switch outcome := generations[key]["succeeded"]; {
		case outcome == core.Unknown && of == core.Unknown:
		case outcome == core.Unknown || !isList || len(list) > 0 && outcome != true:
			s.T.Fatalf("%s: the addresses of %q are %v, and its generation is %v", what, key, of, generations[key])
		}
	}
}
