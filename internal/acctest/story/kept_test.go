package story_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// checkKept: a 404 that proves nothing takes nothing out of the state that is still at the service.
// Left there is only what was imported, and bought again, the group of what was imported or is
// shared, or which a warning names, one of unconfirmed prompts, and a running job that a destroy
// only forgets.
func (s *story) checkKept(said core.Diagnostics) {
	if !s.misled && !s.flapping || s.kill {
		return
	}
	now, left := s.inState(), ""
	for _, summary := range []string{
		"Imported Generations Left at the Service", "Generation Group Stays", "Running Training Is Not Cancelled", "Running Training Was Not Cancelled",
	} {
		left += said.Find(summary).String()
	}
	for _, message := range said {
		if strings.Contains(message.Detail, "look for them there") { // unconfirmed ones
			left += message.Detail
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.existed)) {
		_, isGroup := s.Group(id)
		mayStay := s.excused[id] || isGroup && (s.lent[id] || s.byTitle || strings.Contains(said.String(), "The group "+strconv.Quote(id)+" stays"))
		s.must(now[id] || !s.exists(id) || mayStay || strings.Contains(left, strconv.Quote(id)), "%s is no longer in the state, and is still at the service, which was misquoted", id)
	}
}

// checkHeld: what a key keeps according to the plan, or has just bought, is not deleted.
func (s *story) checkHeld(plan *core.Plan) {
	if plan == nil || s.kill {
		return
	}
	for _, change := range plan.Changes {
		group := s.State(change.Address)
		if change.Deposed || change.After == nil || s.disturbed[asText(group["id"])] {
			continue
		}
		// The destruction of what is replaced may have failed halfway.
		replaced, now := change.Action == core.Replace, generationsOf(group)
		for key, generation := range generationsOf(change.After) {
			id := asText(now[key]["id"])
			bought := generation["id"] == core.Unknown && id != strangeID
			// What was in the state before may be gone since an earlier command.
			existed, old := s.existed[id]
			kept := generation["id"] == id
			s.must(!kept && !bought || id == "" || (!existed || replaced) && old || s.exists(id), "%s: the generation %s of %q was to be kept, and was deleted", change.Address, id, key)
		}
	}
}

func asText(value any) string {
	text, _ := value.(string)
	return text
}

func (s *story) exists(id string) bool {
	if _, found := s.Group(id); found {
		return true
	}
	if _, found := s.Generation(id); found {
		return true
	}
	return slices.ContainsFunc(s.Trainings(""), func(job mockserver.Training) bool { return job.JobID == id && active(job) })
}

func (s *story) existing() map[string]bool {
	ids := map[string]bool{}
	for id := range s.inState() {
		ids[id] = s.exists(id)
	}
	return ids
}
