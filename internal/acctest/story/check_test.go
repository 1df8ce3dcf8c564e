package story_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func (s *story) check(result *core.Result, undisturbed bool) {
	if s.T.Failed() {
		s.T.FailNow()
	}
	for _, diagnostic := range result.Diagnostics {
		s.must(
			!strings.Contains(diagnostic.Detail, "bug in the provider") && diagnostic.Summary != "Plugin error" &&
				!strings.HasPrefix(diagnostic.Summary, "Provider "),
			"the provider breaks a rule: %s",
			diagnostic.Summary,
		)
	}
	for _, entry := range s.Entries() {
		s.must(!entry.Tainted, "%s is tainted", entry.Address)
		s.must(entry.Attributes["id"] != strangeJob, "%s has adopted one of several running jobs", entry.Address)
		s.must(!s.elsewhere[asText(entry.Attributes["id"])], "%s has the job of somebody else", entry.Address)
	}
	s.checkAddresses(result.Plan)
	s.checkPurchases(result, undisturbed)
	s.checkLimit(result.Plan, "max_purchases", "purchases", 1)
	s.checkLimit(result.Plan, "max_credits", "credits", trainingPrice)
	s.checkBooks(undisturbed)
	s.checkJustified(result.Plan)
	s.checkNoStrangers()
	s.checkNames(result.Diagnostics)
	s.checkKept(result.Diagnostics)
	s.checkHeld(result.Plan)
	s.checkOurs(result.Plan)
	s.checkMistyped(result)
	s.checkTally(result.Plan)
}

// purchases counts purchases by the text of the prompt, or by the character of
// the training.
type purchases map[string]int

func announced(plan *core.Plan) purchases {
	sum := purchases{}
	if plan == nil {
		return sum
	}
	for _, change := range plan.Changes {
		for what, times := range announcedBy(change) {
			sum[what] += times
		}
	}
	return sum
}

func announcedBy(change *core.Change) purchases {
	sum := purchases{}
	if change.Deposed || change.After == nil {
		return sum
	}
	if strings.HasPrefix(change.Address, trainingType) {
		if change.After["id"] == core.Unknown {
			sum["training of "+change.After["character_id"].(string)]++
		}
		return sum
	}
	prompts := change.After["prompts"].(core.Object)
	generations, known := change.After["generations"].(core.Object)
	for key, p := range prompts {
		if !known || generations[key] == core.Unknown {
			sum[p.(core.Object)["prompt"].(string)]++
		}
	}
	return sum
}

// checkTally: purchases grow by what the plan announces, and by nothing else;
// the state has them as the plan has said, or as before.
func (s *story) checkTally(plan *core.Plan) {
	if plan == nil || plan.Diagnostics.HasErrors() {
		return
	}
	for _, change := range plan.Changes {
		var announced, before int64
		for _, times := range announcedBy(change) {
			announced += int64(times)
		}
		if change.Before != nil && change.Action != core.Replace {
			before, _ = change.Before["purchases"].(int64)
		}
		after, known := change.After["purchases"].(int64)
		switch {
		case change.Deposed || change.After == nil || change.Action == core.NoOp:
		case !known:
			s.must(
				change.Action == core.Replace,
				"%s: the plan does not know its purchases:\n%s",
				change.Address,
				change,
			)
		default:
			s.must(
				after == before+announced,
				"%s: the plan announces %d purchases, and says %d after %d",
				change.Address,
				announced,
				after,
				before,
			)
			if stored, is := s.State(change.Address)["purchases"].(int64); is && change.Action != core.Replace {
				s.must(
					stored == after || stored == before,
					"%s: the state has %d purchases, the plan said %d",
					change.Address,
					stored,
					after,
				)
			}
		}
	}
}

func (s *story) charged() purchases {
	sum := purchases{}
	s.learnJobs()
	for _, entry := range s.Ledger().Entries[s.booked:] {
		switch entry.Kind {
		case "batch":
			for _, text := range entry.Prompts {
				sum[text]++
			}
		case "training":
			sum["training of "+s.jobs[entry.ID]]++
		}
	}
	return sum
}

// sent are the purchases that reached the service and that it may have
// processed. A 401, 403 or 429 proves that it has not; what it was for is sent
// again with another token, or later.
func (s *story) sent() purchases {
	sum := purchases{}
	for _, request := range s.Journal() {
		switch request.Status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
			continue
		}
		switch request.Route {
		case mockserver.RouteBatch:
			var batch struct{ Prompts []struct{ Prompt string } }
			err := json.Unmarshal(request.Body, &batch)
			s.must(err == nil, "a batch cannot be read: %s", err)
			for _, p := range batch.Prompts {
				sum[p.Prompt]++
			}
		case mockserver.RouteStartTraining:
			sum["training of "+strings.Split(request.Path, "/")[2]]++
		}
	}
	return sum
}

func (s *story) checkPurchases(result *core.Result, undisturbed bool) {
	promised := announced(result.Plan)
	charged := s.charged()
	sent := s.sent()
	for _, what := range slices.Sorted(maps.Keys(charged)) {
		s.must(
			charged[what] <= promised[what],
			"%q was charged %d times, the plan announced %d",
			what,
			charged[what],
			promised[what],
		)
	}
	for _, what := range slices.Sorted(maps.Keys(sent)) {
		s.must(
			sent[what] <= promised[what],
			"%q was sent %d times, the plan announced %d",
			what,
			sent[what],
			promised[what],
		)
	}
	s.must(
		!undisturbed || wentWrong(result.Diagnostics) || cmp.Equal(promised, charged),
		"nothing went wrong, the plan announced %v, and the service charged %v",
		promised,
		charged,
	)
}

// wentWrong: the provider says that it could not do all, or need not.
func wentWrong(diagnostics core.Diagnostics) bool {
	return diagnostics.HasErrors() ||
		slices.ContainsFunc([]string{"Unable to", "Prompts Not Submitted"}, func(summary string) bool {
			return len(diagnostics.Find(summary)) > 0
		})
}

// checkJustified: no prompt is bought again while a good generation of it is
// given up.
func (s *story) checkJustified(plan *core.Plan) {
	if plan == nil {
		return
	}
	for _, change := range plan.Changes {
		if change.Deposed || change.Action != core.Update || !strings.HasPrefix(change.Address, groupType) {
			continue
		}
		before := generationsOf(change.Before)
		after := generationsOf(change.After)
		kept := map[any]bool{}
		for _, generation := range after {
			kept[generation["id"]] = true
		}
		for key, generation := range after {
			if generation["id"] != core.Unknown {
				continue
			}
			want := core.Lookup(change.After, `prompts["`+key+`"]`)
			unchanged := cmp.Equal(want, core.Lookup(change.Before, `prompts["`+key+`"]`))
			for former, made := range before {
				if unchanged && former != key {
					continue // its own generation has failed or is gone
				}
				same := cmp.Equal(want, core.Lookup(change.Before, `prompts["`+former+`"]`))
				s.must(
					!same || made["id"] == nil || made["succeeded"] == false || kept[made["id"]],
					"%s: %q is to be bought, and the generation of the same prompt under %q is given up",
					change.Address,
					key,
					former,
				)
			}
		}
	}
}

// generationsOf are a group's generations; of one that is bought, everything is
// unknown.
func generationsOf(group core.Object) map[string]core.Object {
	found := map[string]core.Object{}
	generations, _ := group["generations"].(core.Object)
	for key := range generations {
		found[key] = core.Object{"id": core.Unknown, "status": core.Unknown, "succeeded": core.Unknown}
		if generation, ok := generations[key].(core.Object); ok {
			found[key] = generation
		}
	}
	return found
}

// isExcused: a wait may be resumed, which can only be for a job that the
// service has forgotten.
func (s *story) isExcused(plan *core.Plan) bool {
	if plan.Diagnostics.HasErrors() {
		return false
	}
	for _, change := range plan.Changes {
		id, _ := change.After["id"].(string)
		if change.Action != core.NoOp &&
			(change.Action != core.Update || !strings.HasPrefix(change.Address, trainingType) || s.hasJob(id)) {
			return false
		}
	}
	return true
}

func (s *story) hasJob(id string) bool {
	return slices.ContainsFunc(s.Trainings(""), func(t mockserver.Training) bool { return t.JobID == id })
}

// checkState: after applies without faults, what the state shows is true.
func (s *story) checkState() {
	said := s.Plan().Diagnostics
	for _, entry := range s.Entries() {
		s.must(!entry.Deposed, "%s: a deposed object is left", entry.Address)
		if !strings.HasPrefix(entry.Address, groupType) {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(s.config.groups[entry.Address].prompts)) {
			s.checkGeneration(entry, key, about(said, entry.Address))
		}
	}
}

// Prompts of equal texts cannot be told apart without an index: plans say whose
// may be another's.
func (s *story) checkGeneration(entry core.Entry, key string, said core.Diagnostics) {
	generation, _ := core.Lookup(entry.Attributes, `generations["`+key+`"]`).(core.Object)
	s.must(generation != nil, "%s: %q is not in the state", entry.Address, key)
	id, _ := generation["id"].(string)
	if id == "" {
		s.must(generation["error"] != nil, "%s: %q has neither an id nor an error", entry.Address, key)
		return
	}
	there, found := s.Generation(id)
	if !found {
		s.must(
			!s.config.groups[entry.Address].refreshFinished || generation["succeeded"] == nil,
			"%s: %q has the generation %s, which does not exist",
			entry.Address,
			key,
			id,
		)
		return
	}
	want := s.config.groups[entry.Address].prompts[key].text
	s.must(
		there.Prompt == want || names(said, "Generations May Be Another Key's", key),
		"%s: %q has the generation of %q, want that of %q",
		entry.Address,
		key,
		there.Prompt,
		want,
	)
	s.must(
		generation["succeeded"] == (there.Status == "completed"),
		"%s: succeeded of %q is %v, and the service says %s",
		entry.Address,
		key,
		generation["succeeded"],
		there.Status,
	)
}
