package story_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type step struct {
	text string
	take func(*story)
}

func (s step) GoString() string { return s.text }

func steps(c cast) *rapid.Generator[step] {
	kinds := []string{"", "", "", ""}
	if len(c.groups) > 0 {
		kinds = append(kinds, "mistake", "import")
	}
	if len(c.trainings) > 0 {
		kinds = append(kinds, "import a training", "lose a training")
	}
	if len(c.groups) > 1 || len(c.trainings) > 1 {
		kinds = append(kinds, "share")
	}
	return rapid.Custom(func(t *rapid.T) step {
		what := rapid.SampledFrom(kinds).Draw(t, "step")
		switch what {
		case "":
			return step{}
		case "import a training":
			return importingTraining(oneOf(c.trainings...).Draw(t, "training"), interludes().Draw(t, "before its turn"))
		case "lose a training":
			return losing(oneOf(c.trainings...).Draw(t, "training"))
		case "share":
			return shares(c).Draw(t, "share")
		}
		address := oneOf(c.groups...).Draw(t, "group")
		if what == "import" {
			return importing(
				address,
				rapid.MapOfN(oneOf(keys...), oneOf(words...), 1, 3).Draw(t, "written"),
				interludes().Draw(t, "before its turn"),
			)
		}
		return mistaken(
			address,
			oneOf(keys...).Draw(t, "key"),
			simple(oneOf("apply", "refresh", "destroy").Draw(t, "command")),
		)
	})
}

func mistaken(address, key string, c command) step {
	c.text = fmt.Sprintf("%s with neither a text nor a photo for %s of %s", c.text, key, address)
	return step{c.text, func(s *story) {
		s.writePhoto(address, key, nil)
		s.checkRefused(s.do(c, false), key)
		s.writePhoto(address, key, core.UnknownUntilApply("https://media.example.com/a.png"))
		said := s.Validate()
		s.must(!said.HasErrors(), "a photo that is not known yet is refused: %s", said)
		s.write()
	}}
}

func (s *story) writePhoto(address, key string, photo any) {
	g := s.config.groups[address]
	if g == nil {
		g = newGroup(characters[0])
	}
	object := g.object()
	object["prompts"].(core.Object)[key] = core.Object{"source_image_url": photo}
	s.Resource(address, object)
}

func (s *story) checkRefused(result *core.Result, key string) {
	errors := result.Diagnostics.Errors()
	path := fmt.Sprintf("prompts[%q]", key)
	s.must(
		len(errors) == 1 && len(errors.At(path)) == 1,
		"%s has nothing to render, and the errors are: %s",
		path,
		errors,
	)
	sent := len(s.Journal())
	charged := len(s.Ledger().Entries) - s.booked
	s.must(sent+charged == 0, "the configuration was refused, after %d requests and %d purchases", sent, charged)
}

func importing(address string, written map[string]string, between []interlude) step {
	text := fmt.Sprintf("lose %s, write %v, import it, and plan", address, written)
	return step{text + listed(between), func(s *story) {
		g := s.config.groups[address]
		ids := s.importable(address)
		if g == nil || len(ids) == 0 {
			return
		}
		for key, word := range written {
			if _, found := g.prompts[key]; found {
				g.prompts[key] = prompt{text: newText(address, word)}
			}
		}
		s.write()
		result := s.do(command{text: text, run: func(s *story) *core.Result { return s.reimport(address, ids) }}, false)
		s.checkImported(result.Plan, address, ids)
		for _, happens := range between {
			happens.take(s, address)
			s.checkImported(s.Plan(), address, ids)
		}
	}}
}

// losing forgets a training whose job runs beside another running one: none may
// be adopted.
func losing(address string) step {
	text := fmt.Sprintf("lose %s, and apply while two jobs run", address)
	return step{text, func(s *story) {
		job := asText(s.State(address)["id"])
		t := s.config.trainings[address]
		if t == nil || s.Deposed(address) > 0 || !s.exists(job) {
			return
		}
		for _, other := range s.cast.trainings {
			its := s.config.trainings[other]
			if other != address &&
				(its != nil && its.character == t.character || s.State(other)["character_id"] == t.character) {
				return // a job that another resource holds is none to choose from
			}
		}
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: besideAnother})
		s.do(command{text: text, run: func(s *story) *core.Result {
			s.Forget(address)
			s.excused[job] = true
			return s.Apply()
		}}, false)
	}}
}

func (s *story) importable(address string) map[string]string {
	ids := map[string]string{}
	for key, generation := range generationsOf(s.State(address)) {
		if id := asText(generation["id"]); s.exists(id) {
			ids[key] = id
		}
	}
	return ids
}

// reimport excuses what was in the state and is not imported.
func (s *story) reimport(address string, ids map[string]string) *core.Result {
	id, err := json.Marshal(ids)
	check.Must(s.T, err)
	before := s.inState()
	s.Forget(address)
	result := s.Import(address, string(id))
	s.excuseMissing(before)
	for _, id := range ids {
		if made, found := s.Generation(id); found {
			s.lent[made.GroupID] = true
		}
	}
	if !result.Diagnostics.HasErrors() {
		result.Plan = s.Plan()
		result.Diagnostics = slices.Concat(result.Diagnostics, result.Plan.Diagnostics)
	}
	return result
}

func (s *story) excuseMissing(before map[string]bool) {
	now := s.inState()
	for id := range before {
		s.excused[id] = s.excused[id] || !now[id]
	}
}

// checkImported: the plan buys the keys whose prompts differ from what the
// service has rendered, and says so of them alone. Another key may have
// rendered them.
func (s *story) checkImported(plan *core.Plan, address string, ids map[string]string) {
	if plan == nil || plan.Diagnostics.HasErrors() || !slices.Contains(s.Addresses(), address) {
		return // a generation may be too new to be read, or denied once, max_purchases too low
	}
	change := plan.Change(address)
	said := saying(about(plan.Diagnostics, address), "has rendered other texts")
	s.must(
		change.Action == core.Update || change.Action == core.NoOp,
		"%s: was imported, and the plan is to %s it",
		address,
		change.Action,
	)
	before := generationsOf(change.Before)
	after := generationsOf(change.After)
	prompts := s.config.groups[address].prompts
	for _, key := range slices.Sorted(maps.Keys(prompts)) {
		want := prompts[key]
		made, imported := s.Generation(ids[key])
		differs := imported && made.Prompt != want.text
		isBought := after[key]["id"] == core.Unknown
		s.must(
			s.failedAs(want.text, before, ids) || names(said, "", key) == (differs && isBought),
			"%s: the import of %q has %q, the configuration %q, bought is %t, and the plan says: %s",
			address,
			key,
			made.Prompt,
			want.text,
			isBought,
			said,
		)
		s.must(
			!isBought || !imported || differs || before[key]["succeeded"] == false,
			"%s: %q was imported, and is bought again",
			address,
			key,
		)
		held, _ := s.Generation(asText(after[key]["id"]))
		s.must(
			isBought || held.Prompt == want.text,
			"%s: %q is %q, and takes over the generation of %q",
			address,
			key,
			want.text,
			held.Prompt,
		)
	}
}

// failedAs: an imported generation of a text has failed, so that the key's next
// attempt is bought.
func (s *story) failedAs(text string, before map[string]map[string]any, ids map[string]string) bool {
	for key, id := range ids {
		if made, _ := s.Generation(id); made.Prompt == text && before[key]["succeeded"] == false {
			return true
		}
	}
	return false
}
