package story_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

type medium struct{ address, key, id, group string }

// holdings are the groups in the state, and their generations with results,
// superseded ones too.
func (s *story) holdings() (held map[string]bool, media []medium) {
	held = map[string]bool{}
	add := func(address, key, id string) {
		if made, found := s.Generation(id); found && made.Status == "completed" {
			media = append(media, medium{address, key, id, made.GroupID})
		}
	}
	for _, entry := range s.Entries() {
		if !strings.HasPrefix(entry.Address, groupType) {
			continue
		}
		held[entry.Address] = held[entry.Address] || !entry.Deposed
		for key, generation := range generationsOf(entry.Attributes) {
			add(entry.Address, key, asText(generation["id"]))
		}
		for key, ids := range s.superseded(entry) {
			for _, id := range ids {
				add(entry.Address, key, id)
			}
		}
	}
	return held, media
}

// checkWarned: a plan warns of what it spends, deletes or leaves in doubt
// without being asked.
func (s *story) checkWarned(plan *core.Plan, replaced string) {
	if plan == nil || plan.Diagnostics.HasErrors() {
		return
	}
	for _, change := range plan.Changes {
		said := about(plan.Diagnostics, change.Address)
		switch {
		case change.Deposed:
		case strings.HasPrefix(change.Address, trainingType):
			s.checkTrainingWarned(change, said, replaced)
		case change.Action == core.Create && s.held[change.Address] && len(said.Find("Generation Group Is Gone")) == 0:
			s.T.Fatalf("%s: the group is gone and bought again, and nothing says so", change.Address)
		case change.Action == core.Update || change.Action == core.NoOp:
			s.checkGroupWarned(change, said)
		}
	}
	for _, m := range s.media {
		if !s.exists(m.id) && !s.disturbed[m.group] && m.address != replaced {
			s.checkDeletionWarned(m, plan)
		}
	}
}

func about(said core.Diagnostics, address string) core.Diagnostics {
	return slices.DeleteFunc(slices.Clone(said), func(d core.Diagnostic) bool { return d.Address != address })
}

func saying(said core.Diagnostics, text string) (found core.Diagnostics) {
	for _, message := range said {
		for paragraph := range strings.SplitSeq(message.Detail, "\n\n") {
			message.Detail = paragraph
			if strings.Contains(paragraph, text) {
				found = append(found, message)
			}
		}
	}
	return found
}

var others = regexp.MustCompile(`, and \d+ more\b`)

// names: a message of the summary names the key, or may count it among others.
func names(said core.Diagnostics, summary, key string) bool {
	return slices.ContainsFunc(said.Find(summary), func(d core.Diagnostic) bool {
		return strings.Contains(d.Detail, strconv.Quote(key)) || others.MatchString(d.Detail)
	})
}

const unconfirmedTraining = "Body LoRA Training Unconfirmed"

func (s *story) checkTrainingWarned(change *core.Change, said core.Diagnostics, replaced string) {
	stays := change.Action == core.Update || change.Action == core.NoOp
	s.must(
		!isUnconfirmed(change.Before["id"]) || !stays || len(said.Find(unconfirmedTraining)) != 0,
		"%s: the training is unconfirmed, and the plan does not say so",
		change.Address,
	)
	same := change.Before["character_id"] == change.After["character_id"] &&
		roundOf(change.Before) == roundOf(change.After)
	s.must(
		change.Action != core.Replace || !same || change.Address == replaced,
		"%s: the training is replaced, and nothing has changed",
		change.Address,
	)
}

func roundOf(training core.Object) any {
	triggers, _ := training["triggers"].(core.Object)
	return triggers["round"]
}

func isUnconfirmed(id any) bool { return strings.HasPrefix(asText(id), "unconfirmed-") }

func (s *story) checkGroupWarned(change *core.Change, said core.Diagnostics) {
	const unconfirmed = "Unconfirmed Prompts"
	gone := saying(said, "are gone at the service")
	before := generationsOf(change.Before)
	after := generationsOf(change.After)
	anyGone := false
	anyOpen := false
	for key, generation := range after {
		prompt := core.Lookup(change.After, `prompts["`+key+`"]`)
		isBought := generation["id"] == core.Unknown
		isOpen := generation["id"] == nil && generation["status"] == "unconfirmed"
		anyGone = anyGone || isBought
		anyOpen = anyOpen || isOpen
		same := cmp.Equal(prompt, core.Lookup(change.Before, `prompts["`+key+`"]`))
		_, made := before[key]
		s.must(
			!isBought || !same || made || names(gone, "", key),
			"%s: the generation of %q is gone and bought again, and the plan does not say so",
			change.Address,
			key,
		)
		s.must(
			!isOpen || names(said, unconfirmed, key),
			"%s: the outcome of %q is not confirmed, and the plan does not say so",
			change.Address,
			key,
		)
	}
	s.must(
		!isUnconfirmed(change.After["id"]) || anyOpen || len(said.Find("Generation Group Has No Id")) != 0,
		"%s: the group has no id, and the plan does not say so",
		change.Address,
	)
	s.must(
		(len(gone) == 0 || anyGone) && (len(said.Find(unconfirmed)) == 0 || anyOpen),
		"%s: the plan warns of what is not so: %s",
		change.Address,
		said,
	)
}

func (s *story) checkDeletionWarned(m medium, plan *core.Plan) {
	const summary = "Media Will Be Deleted"
	said := about(plan.Diagnostics, m.address)
	change := plan.Change(m.address)
	if change.Action != core.Update {
		s.must(
			len(said.Find(summary)) != 0,
			"%s: the media of %s were deleted, and the plan did not say so",
			m.address,
			m.id,
		)
		return
	}
	said = saying(said, "deleted")
	for key, generation := range generationsOf(change.Before) {
		if generation["id"] == m.id && names(said, summary, key) {
			return // a refresh may have given it another key
		}
	}
	s.must(
		names(said, summary, m.key),
		"%s: the media of %s, of %q, were deleted, and the plan did not say so",
		m.address,
		m.id,
		m.key,
	)
}
