package story_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// theirTitle is that of the groups of another actor. No configuration has it.
const theirTitle = "Theirs"

// lostBatches are batches whose reply is lost, before or after the work, perhaps
// while another actor makes groups of our texts.
func lostBatches() *rapid.Generator[fault] {
	return rapid.Custom(func(t *rapid.T) fault {
		f := fault{Fault: mockserver.Fault{Route: mockserver.RouteBatch, Nth: rapid.IntRange(1, 2).Draw(t, "nth"), Times: 1}, loses: true}
		switch oneOf("after", "after", "in the body", "before").Draw(t, "lost") {
		case "after":
			f.DropAfterWork = true
		case "in the body":
			f.DropInBody = true
		case "before":
			f.DropBefore = true
		}
		if rapid.Bool().Draw(t, "equal groups") {
			f.text, f.reached = "while somebody makes equal groups", (*story).copyOurs
		}
		f.text = fmt.Sprintf("%s, request %d: %s", f.Route, f.Nth, f.describe())
		return f
	})
}

// copyOurs lets another actor make groups of the texts of ours.
func (s *story) copyOurs() {
	for _, address := range slices.Sorted(maps.Keys(s.config.groups)) {
		g, texts := s.config.groups[address], []string{}
		for _, key := range slices.Sorted(maps.Keys(g.prompts)) {
			texts = append(texts, g.prompts[key].text)
		}
		s.GenerateElsewhere(g.character, theirTitle, texts...)
	}
}

// tellsGroups: the service lists groups so that a batch that was lost can be told
// from others, within the time that the provider takes for it.
func (h habits) tellsGroups() bool {
	v := h.variant
	return h.lists && h.settings["extended_reads"] == true && h.perMinute == 0 &&
		(v.GroupTimes == mockserver.TimesPlain || v.GroupTimes == mockserver.TimesZoneless) && v.Nulls != mockserver.NullsSparse && v.Nulls != mockserver.NullsMissing &&
		(v.LateVisibility == 0 || h.settings["max_requests_per_minute"] == nil) && // else the reads that show nothing take all of the time
		v.Pages == mockserver.PagesPlain && !v.ShareEqual && !v.RetakeFailed && !v.OneID && !v.GroupsByTitle && v.FlapEvery == 0
}

// findable: of a batch that is lost in the chapter, there is one candidate that is
// certainly ours.
func (c chapter) findable(s *story) bool {
	for _, g := range s.config.groups {
		if !g.isTold() {
			return false
		}
	}
	return s.listed && len(c.faults) == 1 && c.faults[0].loses && c.as == credential{} && c.calm && !s.misled && !s.troubled
}

// isTold: a list tells whose the group's prompts are. It shows texts and no options.
func (g *group) isTold() bool {
	options := map[string]bool{}
	for _, p := range g.prompts {
		if other, again := options[p.text]; again && other != p.faceSwap {
			return false
		}
		options[p.text] = p.faceSwap
	}
	return g.title != ""
}

// learnFound: a new group that was found is not certainly of the provider's making.
// One with an earlier batch is: the reply to that named it.
func (s *story) learnFound(said core.Diagnostics) {
	for _, group := range s.ourGroups() {
		batches := map[string]bool{}
		for _, made := range group.Generations {
			batches[made.BatchID] = true
		}
		for _, found := range said.Find("Batch Found Without an Answer") {
			isNew := !s.existed[group.ID] && len(batches) == 1
			s.lent[group.ID] = s.lent[group.ID] || isNew && strings.Contains(found.Detail, strconv.Quote(group.ID))
		}
	}
}

// checkFound: the state holds what was charged, although the reply was lost.
func (s *story) checkFound() {
	held := s.inState()
	for _, entry := range s.Ledger().Entries[s.booked:] {
		for _, group := range s.ourGroups() {
			for _, made := range group.Generations {
				if entry.Kind == "batch" && made.BatchID == entry.ID && !held[made.ID] {
					s.T.Fatalf("the generation %s of %q was bought by a batch that was lost, and not found", made.ID, made.Prompt)
				}
			}
		}
	}
}

// checkNoStrangers: no generation that another actor has made is in the state.
func (s *story) checkNoStrangers() {
	held := s.inState()
	for _, group := range s.Groups() {
		if group.Title == theirTitle && slices.ContainsFunc(group.Generations, func(made mockserver.Generation) bool { return held[made.ID] }) {
			s.T.Fatalf("the state holds the group %s of somebody else", group.ID)
		}
	}
}
