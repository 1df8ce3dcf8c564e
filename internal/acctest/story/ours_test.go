package story_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type inventory struct {
	groups map[string]string
	jobs   map[string]bool
}

func (s *story) inventory() inventory {
	has := inventory{map[string]string{}, map[string]bool{}}
	for _, group := range s.Groups() {
		for _, generation := range group.Generations {
			has.groups[generation.ID] = group.ID
		}
	}
	for _, job := range s.Trainings("") {
		has.jobs[job.JobID] = active(job)
	}
	return has
}

func (s *story) ourGroups() []mockserver.Group {
	return slices.DeleteFunc(s.Groups(), func(g mockserver.Group) bool { return s.strangers[g.ID] })
}

// checkOurs: the provider deletes only what a state holds, and the rest of a
// group that it has made; it cancels no job that is kept or somebody else's. A
// service that goes by titles may give it others' groups.
func (s *story) checkOurs(plan *core.Plan) {
	now := s.inventory()
	for _, id := range slices.Sorted(maps.Keys(s.there.groups)) {
		group := s.there.groups[id]
		made := s.existed[group] && (s.byTitle || !s.lent[group])
		s.must(
			now.groups[id] != "" || s.taken[id] || s.existed[id] || made,
			"the generation %s of the group %s was deleted, and no state held it",
			id,
			group,
		)
	}
	for _, job := range slices.Sorted(maps.Keys(s.elsewhere)) {
		s.must(!s.wasCancelled(job), "the job %s of somebody else is cancelled", job)
	}
	if plan == nil || s.kill {
		return
	}
	for _, change := range plan.Changes {
		t := s.config.trainings[change.Address]
		halfway := change.Action == core.Delete || change.Action == core.Replace && (t == nil || !t.createFirst)
		id := asText(s.State(change.Address)["id"])
		s.must(
			change.Deposed || halfway || !s.wasCancelled(id),
			"%s: the job %s is cancelled, and the object was to be kept",
			change.Address,
			id,
		)
	}
}

func (s *story) wasCancelled(id string) bool {
	return s.there.jobs[id] && !s.taken[id] && slices.ContainsFunc(s.Trainings(""), func(job mockserver.Training) bool {
		return job.JobID == id && job.Status == "cancelled"
	})
}

// checkMistyped: at a mistyped address a command changes nothing, and says that
// it has found nothing. The list of groups only helps a person, and may fail in
// silence.
func (s *story) checkMistyped(result *core.Result) {
	if !s.mistyped {
		return
	}
	charged := s.charged()
	s.must(len(charged) == 0, "at a mistyped address the service charged %v", charged)
	now := s.inventory()
	for _, id := range slices.Sorted(maps.Keys(s.there.groups)) {
		s.must(now.groups[id] != "" || s.taken[id], "at a mistyped address %s was deleted", id)
	}
	asked := slices.ContainsFunc(s.Journal(), func(entry mockserver.Entry) bool {
		return strings.HasPrefix(entry.Path, "/v3/") && entry.Path != "/v3/generation/groups"
	})
	said := len(result.Diagnostics) != 0 || result.Plan != nil && len(result.Plan.Diagnostics) != 0
	s.must(!asked || s.kill || said, "at a mistyped address nothing was found, and no message says so")
}

// checkKept: a 404 that proves nothing takes nothing out of the state that is
// still at the service. Left there is only what was imported, and bought again,
// the group of what was imported or is shared, or which a warning names, one of
// unconfirmed prompts, and a running job that a destroy only forgets.
func (s *story) checkKept(said core.Diagnostics) {
	if !s.misled && !s.flapping || s.kill {
		return
	}
	now := s.inState()
	left := ""
	for _, summary := range []string{
		"Imported Generations Left at the Service", "Generation Group Stays", "Running Training Is Not " +
			"Cancelled", "Running Training Was Not Cancelled",
	} {
		left += said.Find(summary).String()
	}
	for _, message := range said {
		if strings.Contains(message.Detail, "Look for them at the service: the state") { // unconfirmed ones
			left += message.Detail
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.existed)) {
		_, isGroup := s.Group(id)
		mayStay := s.excused[id] ||
			isGroup &&
				(s.lent[id] || s.byTitle || strings.Contains(said.String(), "The group "+strconv.Quote(id)+" stays"))
		s.must(
			now[id] || !s.exists(id) || mayStay || strings.Contains(left, strconv.Quote(id)),
			"%s is no longer in the state, and is still at the service, which was misquoted",
			id,
		)
	}
}

// checkHeld: what a key keeps according to the plan, or has just bought, is not
// deleted.
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
		replaced := change.Action == core.Replace
		now := generationsOf(group)
		for key, generation := range generationsOf(change.After) {
			id := asText(now[key]["id"])
			bought := generation["id"] == core.Unknown && id != strangeID
			// What was in the state before may be gone since an earlier command.
			existed, old := s.existed[id]
			kept := generation["id"] == id
			s.must(
				!kept && !bought || id == "" || (!existed || replaced) && old || s.exists(id),
				"%s: the generation %s of %q was to be kept, and was deleted",
				change.Address,
				id,
				key,
			)
		}
	}
}

func asText(value any) string {
	text, _ := value.(string)
	return text
}

func (s *story) exists(id string) bool {
	_, isGroup := s.Group(id)
	_, isMade := s.Generation(id)
	return isGroup || isMade ||
		slices.ContainsFunc(
			s.Trainings(""),
			func(job mockserver.Training) bool { return job.JobID == id && active(job) },
		)
}
