package story_test

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// lostBatches lose their reply, before or after the work, perhaps while others make our groups.
func lostBatches() *rapid.Generator[fault] {
	return rapid.Custom(func(t *rapid.T) fault {
		f := fault{Fault: mockserver.Fault{Route: mockserver.RouteBatch, Nth: rapid.IntRange(1, 2).Draw(t, "nth"), Times: 1}}
		lost := oneOf("after", "after", "in the body", "before").Draw(t, "lost")
		f.DropAfterWork, f.DropInBody, f.DropBefore = lost == "after", lost == "in the body", lost == "before"
		if rapid.Bool().Draw(t, "equal groups") {
			f.text, f.reached = "while somebody makes equal groups", (*story).copyOurs
		}
		f.text = fmt.Sprintf("%s, request %d: %s", f.Route, f.Nth, f.describe())
		return f
	})
}

func (s *story) copyOurs() {
	for _, address := range slices.Sorted(maps.Keys(s.config.groups)) {
		g, texts := s.config.groups[address], []string{}
		for _, key := range slices.Sorted(maps.Keys(g.prompts)) {
			texts = append(texts, g.prompts[key].text)
		}
		s.makeTheirs(g.character, g.title, texts...)
	}
}

// makeTheirs lets another actor make a group, of our title unless the service goes by titles.
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
		s.must(!s.strangers[group.ID] || !slices.ContainsFunc(group.Generations, func(made mockserver.Generation) bool { return held[made.ID] }),
			"the state holds the group %s of somebody else", group.ID)
	}
}
