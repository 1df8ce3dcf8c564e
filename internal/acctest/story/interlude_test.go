package story_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// interlude is between an import and the imported object's turn in an apply: the import holds.
type interlude struct {
	text string
	take func(s *story, address string)
}

func (i interlude) GoString() string { return i.text }

var allInterludes = []interlude{
	{"refresh", func(s *story, _ string) { s.do(simple("refresh"), false) }},
	{"apply, which fails elsewhere", func(s *story, address string) {
		s.Block(address)
		s.do(simple("apply"), false)
		s.Block("")
	}},
	{"apply without credits", func(s *story, _ string) {
		s.SetBalance(0)
		s.do(simple("apply"), false)
		s.SetBalance(10_000)
	}},
}

func interludes() *rapid.Generator[[]interlude] {
	return rapid.SliceOfN(oneOf(allInterludes...), 0, 3)
}

func listed(between []interlude) string {
	text := ""
	for _, happens := range between {
		text += "; " + happens.text + ", and plan"
	}
	return text
}

func importingTraining(address string, between []interlude) step {
	text := fmt.Sprintf("lose %s, import it, and plan", address)
	return step{text + listed(between), func(s *story) {
		t, job := s.config.trainings[address], asText(s.State(address)["id"])
		if t == nil || !s.hasJob(job) || s.jobs[job] != t.character || s.Deposed(address) > 0 {
			return
		}
		s.do(command{text: text, run: func(s *story) *core.Result { return s.importJob(address, job) }}, false)
		s.checkTrainingImported(s.Plan(), address, job)
		for _, happens := range between {
			happens.take(s, address)
			s.checkTrainingImported(s.Plan(), address, job)
		}
	}}
}

func (s *story) importJob(address, job string) *core.Result {
	s.Forget(address)
	result := s.ImportIdentity(address, core.Object{"character_id": s.jobs[job], "id": job})
	s.excused[job] = s.excused[job] || result.Diagnostics.HasErrors()
	return result
}

// checkTrainingImported: a job that was imported is kept, whatever triggers the configuration has.
func (s *story) checkTrainingImported(plan *core.Plan, address, job string) {
	if plan.Diagnostics.HasErrors() || !slices.Contains(s.Addresses(), address) {
		return // the job may be too new to be read
	}
	change := plan.Change(address)
	s.must((change.Action == core.Update || change.Action == core.NoOp) && change.After["id"] == job,
		"%s: the job %s was imported, and the plan is to %s it, with the id %v", address, job, change.Action, change.After["id"])
}
