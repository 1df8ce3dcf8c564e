package story_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// event happens at the service without a request: another actor, the end of
// credits, or time.
type event struct {
	text string
	act  func(*story)
}

func (e event) GoString() string { return e.text }

// events are what can happen. calm ones do not touch what the provider has
// bought.
func events(c cast) *rapid.Generator[event] {
	kinds := []*rapid.Generator[event]{timePasses(), accountChanges()}
	if len(c.groups) > 0 {
		kinds = append(kinds, wordsChange(), groupsChange())
	}
	if len(c.trainings) > 0 {
		kinds = append(kinds, trainingsChange())
	}
	return rapid.OneOf(kinds...)
}

func timePasses() *rapid.Generator[event] {
	return rapid.Map(oneOf(10*time.Second, 15*time.Minute, 4*time.Hour), func(d time.Duration) event {
		return event{d.String() + " pass", func(s *story) { s.Clock.Advance(d) }}
	})
}

func accountChanges() *rapid.Generator[event] {
	return oneOf(
		event{"all tokens are revoked", func(s *story) { s.RevokeTokens() }},
		event{"the balance is 1", func(s *story) { s.troubled = true; s.SetBalance(1) }},
		event{"two connections are refused", func(s *story) { s.RefuseConnections(2) }},
		event{"twenty connections are refused", func(s *story) { s.RefuseConnections(20) }},
		event{"the balance is 10,000", func(s *story) { s.SetBalance(10_000) }},
	)
}

func wordsChange() *rapid.Generator[event] {
	return rapid.Custom(func(t *rapid.T) event {
		word := oneOf(words...).Draw(t, "word")
		switch oneOf("fail", "reject", "recover").Draw(t, "what") {
		case "reject":
			return event{fmt.Sprintf("%q is rejected from now on", word), func(s *story) {
				s.troubled = true
				s.RejectPrompt(word, "the word "+word+" is not allowed")
			}}
		case "recover":
			return event{fmt.Sprintf("%q is fine from now on", word), func(s *story) {
				s.FailPrompt(word, "")
				s.RejectPrompt(word, "")
			}}
		}
		return event{
			fmt.Sprintf("%q fails from now on", word),
			func(s *story) { s.FailPrompt(word, "no picture of "+word) },
		}
	})
}

// They are counted from the newest. What no status has shown yet is left alone:
// it would stay pending for ever.
func groupsChange() *rapid.Generator[event] {
	return rapid.Custom(func(t *rapid.T) event {
		n := rapid.IntRange(0, 3).Draw(t, "which")
		generation := func(act func(s *story, id string)) func(*story) {
			return func(s *story) {
				var ids []string
				for _, g := range s.ourGroups() {
					for _, generation := range g.Generations {
						ids = append(ids, generation.ID)
					}
				}
				slices.Sort(ids)
				if len(ids) > n {
					act(s, ids[len(ids)-1-n])
				}
			}
		}
		what := oneOf("generation", "group", "stuck", "media").Draw(t, "what")
		switch what {
		case "group":
			return event{fmt.Sprintf("somebody deletes the group %d from the end", n), func(s *story) {
				if groups := s.ourGroups(); len(groups) > n && s.isShown(groups[len(groups)-1-n].Generations...) {
					s.takeGroup(groups[len(groups)-1-n])
				}
			}}
		case "stuck", "media":
			times := oneOf(1, 4, 9).Draw(t, "times")
			stick := (*story).StickGeneration
			text := "the generation %d from the end cannot be deleted %d times"
			if what == "media" {
				stick = (*story).StickMedia
				text = "the image of the generation %d from the end cannot be deleted %d times"
			}
			return event{fmt.Sprintf(text, n, times), generation(func(s *story, id string) {
				if s.stick() {
					stick(s, id, times)
				}
			})}
		}
		return event{
			fmt.Sprintf("somebody deletes the generation %d from the end", n),
			generation(func(s *story, id string) {
				if found, _ := s.Generation(id); s.isShown(found) {
					s.disturbed[found.GroupID] = true
					s.taken[id] = true
					s.DeleteGenerationBehindTheBack(id)
				}
			}),
		}
	})
}

func (s *story) takeGroup(group mockserver.Group) {
	s.disturbed[group.ID] = true
	for _, generation := range group.Generations {
		s.taken[generation.ID] = true
	}
	s.DeleteGroupBehindTheBack(group.ID)
}

func trainingsChange() *rapid.Generator[event] {
	return rapid.Custom(func(t *rapid.T) event {
		character := oneOf(characters...).Draw(t, "character")
		newest := func(act func(s *story, job string)) func(*story) {
			return func(s *story) {
				if jobs := s.Trainings(character); len(jobs) > 0 {
					act(s, jobs[len(jobs)-1].JobID)
				}
			}
		}
		switch oneOf("start", "fail", "cancel", "forget").Draw(t, "what") {
		case "fail":
			return event{"the next training fails", func(s *story) { s.FailNextTraining() }}
		case "cancel":
			return event{"somebody cancels the newest training of " + character, newest(func(s *story, job string) {
				s.taken[job] = true
				s.CancelTrainingElsewhere(character, job)
			})}
		case "forget":
			return event{"the service forgets the newest training of " + character, newest(func(s *story, job string) {
				s.learnJobs()
				s.ForgetTraining(character, job)
			})}
		}
		return event{"somebody trains " + character, func(s *story) {
			if slices.ContainsFunc(s.Trainings(character), active) {
				return // the service has one at a time
			}
			s.elsewhere[s.StartTrainingElsewhere(character)] = true
		}}
	})
}

// lostBatches lose their reply, before or after the work, perhaps while others
// make our groups.
func lostBatches() *rapid.Generator[fault] {
	return rapid.Custom(func(t *rapid.T) fault {
		f := fault{
			Fault: mockserver.Fault{Route: mockserver.RouteBatch, Nth: rapid.IntRange(1, 2).Draw(t, "nth"), Times: 1},
		}
		lost := oneOf("after", "after", "in the body", "before").Draw(t, "lost")
		f.DropAfterWork = lost == "after"
		f.DropInBody = lost == "in the body"
		f.DropBefore = lost == "before"
		if rapid.Bool().Draw(t, "equal groups") {
			f.text = "while somebody makes equal groups"
			f.reached = (*story).copyOurs
		}
		f.text = fmt.Sprintf("%s, request %d: %s", f.Route, f.Nth, f.describe())
		return f
	})
}

func (s *story) copyOurs() {
	for _, address := range slices.Sorted(maps.Keys(s.config.groups)) {
		g := s.config.groups[address]
		texts := []string{}
		for _, key := range slices.Sorted(maps.Keys(g.prompts)) {
			texts = append(texts, g.prompts[key].text)
		}
		s.makeTheirs(g.character, g.title, texts...)
	}
}

// makeTheirs lets another actor make a group, of our title unless the service
// goes by titles.
func (s *story) makeTheirs(character, title string, texts ...string) mockserver.Group {
	if s.byTitle {
		title = "Theirs"
	}
	made := s.GenerateElsewhere(character, title, texts...)
	s.strangers[made.ID] = true
	return made
}

func (s *story) checkNoStrangers() {
	held := s.inState()
	for _, group := range s.Groups() {
		s.must(
			!s.strangers[group.ID] ||
				!slices.ContainsFunc(group.Generations, func(made mockserver.Generation) bool { return held[made.ID] }),
			"the state holds the group %s of somebody else",
			group.ID,
		)
	}
}
