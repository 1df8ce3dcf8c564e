package story_test

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// interlude is between an import and the imported object's turn in an apply:
// the import holds.
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

func interludes() *rapid.Generator[[]interlude] { return rapid.SliceOfN(oneOf(allInterludes...), 0, 3) }

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
		t := s.config.trainings[address]
		job := asText(s.State(address)["id"])
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

// checkTrainingImported: a job that was imported is kept, whatever triggers the
// configuration has.
func (s *story) checkTrainingImported(plan *core.Plan, address, job string) {
	if plan.Diagnostics.HasErrors() || !slices.Contains(s.Addresses(), address) {
		return // the job may be too new to be read
	}
	change := plan.Change(address)
	s.must(
		(change.Action == core.Update || change.Action == core.NoOp) && change.After["id"] == job,
		"%s: the job %s was imported, and the plan is to %s it, with the id %v",
		address,
		job,
		change.Action,
		change.After["id"],
	)
}

// shares are imports after which two resources have one group or job, and how
// that ends.
func shares(c cast) *rapid.Generator[step] {
	return rapid.Custom(func(t *rapid.T) step {
		addresses := c.groups
		share := sharingGroup
		if len(c.groups) < 2 || len(c.trainings) > 1 && rapid.Bool().Draw(t, "a job") {
			addresses = c.trainings
			share = sharingJob
		}
		both := rapid.Permutation(addresses).Draw(t, "of and with")
		then := oneOf("", "drop it", "apply and drop it", "replace it", "destroy").Draw(t, "then")
		return step{
			fmt.Sprintf("drop %[2]s, and import what %[1]s has as both; %[3]s", both[0], both[1], then),
			func(s *story) {
				if s.State(both[1]) != nil {
					s.drop(both[1])
				}
				if s.State(both[0]) != nil && s.State(both[1]) == nil && s.Deposed(both[0])+s.Deposed(both[1]) == 0 &&
					share(s, both[0], both[1]) {
					s.part(both[1], then)
				}
			},
		}
	})
}

func (s *story) part(second, then string) {
	switch then {
	case "drop it", "apply and drop it":
		if then != "drop it" {
			s.do(simple("apply"), false)
		}
		s.drop(second)
	case "replace it":
		s.do(
			command{
				text: replaceCommand + second,
				run:  func(s *story) *core.Result { return s.Apply(core.Replacing(second)) },
			},
			false,
		)
	case "destroy":
		s.do(simple("destroy"), false)
	}
}

func (s *story) drop(address string) {
	delete(s.config.groups, address)
	delete(s.config.trainings, address)
	s.write()
	s.do(simple("apply"), false)
}

// sharingGroup imports one generation of a group as the first, one as the
// second, and no others.
func sharingGroup(s *story, first, second string) bool {
	g := s.config.groups[first]
	ids := s.importable(first)
	held := slices.Sorted(maps.Keys(ids))
	held = slices.DeleteFunc(held, func(key string) bool { return g == nil || g.prompts[key].text == "" })
	if len(held) < 2 {
		return false
	}
	other := *g
	other.prompts = map[string]prompt{held[1]: g.prompts[held[1]]}
	g.prompts = map[string]prompt{held[0]: g.prompts[held[0]]}
	s.config.groups[second] = &other
	s.write()
	for i, address := range []string{first, second} {
		s.do(command{text: "import " + held[i] + " as " + address, run: func(s *story) *core.Result {
			return s.reimport(address, map[string]string{held[i]: ids[held[i]]})
		}}, false)
	}
	return true
}

func sharingJob(s *story, first, second string) bool {
	t := s.config.trainings[first]
	job := asText(s.State(first)["id"])
	if t == nil || !s.hasJob(job) || s.jobs[job] != t.character {
		return false
	}
	other := *t
	s.config.trainings[second] = &other
	s.write()
	s.do(
		command{
			text: "import " + job + " as " + second,
			run:  func(s *story) *core.Result { return s.importJob(second, job) },
		},
		false,
	)
	return true
}
