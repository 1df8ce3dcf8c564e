package mockserver

import (
	"iter"
	"slices"
	"time"
)

// listGroups shows the newest group first, unless the variant reverses lists.
func (s *Server) listGroups(c *call) (any, error) {
	wanted := c.entry.Query.Get("character_id")
	if s.opts.Variant.IgnoreFilters {
		wanted = ""
	}
	groups, pagination := paginate(
		s.opts.Variant.Pages,
		queryInt(c, "limit", 50),
		queryInt(c, "offset", 0),
		func(yield func(*group) bool) {
			for _, g := range ordered(s.world.groups, !s.opts.Variant.ListsReversed) {
				visible := g.organization == c.organization && (wanted == "" || g.characterID == wanted) &&
					g.late.visible()
				if visible && !yield(g) {
					return
				}
			}
		},
	)
	list := groupListBody{
		Groups:         []groupBody{},
		Pagination:     pagination,
		OrganizationID: c.organization,
	}
	for _, g := range groups {
		list.Groups = append(list.Groups, g.body(c.origin, c.now))
	}
	if s.opts.Variant.EmptyErrors {
		list.Error = map[string]string{"error": "", "message": "", "character_id": "", "group_id": ""}
	}
	return list, nil
}

// readGroup shows the oldest generation first, unless the variant reverses
// lists.
func (s *Server) readGroup(c *call) (any, error) {
	id := c.params["group_id"]
	found := s.world.group(c.organization, id)
	if found == nil || !found.late.visible() {
		p := notFound("group", id)
		p.groupID = id
		return nil, p
	}
	generations, pagination := paginate(
		s.opts.Variant.Pages,
		queryInt(c, "limit", 50),
		queryInt(c, "offset", 0),
		func(yield func(*generation) bool) {
			for _, g := range ordered(found.generations, s.opts.Variant.ListsReversed) {
				if g.late.visible() && !yield(g) {
					return
				}
			}
		},
	)
	read := groupReadBody{
		groupBody:   found.body(c.origin, c.now),
		Generations: []groupGenerationBody{},
		Pagination:  pagination,
	}
	for _, g := range generations {
		shown := s.generationBody(c, g)
		read.Generations = append(read.Generations, groupGenerationBody{
			GenerationID:        shown.GenerationID,
			Prompt:              shown.Prompt,
			Status:              shown.Status,
			ResultURLs:          shown.ResultURLs,
			CreatedAt:           shown.CreatedAt,
			PerformanceMetadata: shown.PerformanceMetadata,
		})
	}
	return read, nil
}

// ordered yields a list from its start, or from its end.
func ordered[T any](list []T, reversed bool) iter.Seq2[int, T] {
	if reversed {
		return slices.Backward(list)
	}
	return slices.All(list)
}

func (g *group) body(origin string, now time.Time) groupBody {
	body := groupBody{
		GroupID:         g.id,
		Title:           g.title,
		GroupType:       typeCharacter,
		GenerationCount: len(g.generations),
		CreatedAt:       stamp(g.createdAt),
		UpdatedAt:       stamp(g.createdAt),
		Status:          wordCompleted,
		CharacterID:     nullable(g.characterID),
	}
	failed := 0
	for _, generation := range g.generations {
		body.GroupType = generation.Type
		body.UpdatedAt = stamp(generation.CreatedAt)
		if images := generation.images(origin, now); len(images) > 0 && body.PreviewImageURL == nil {
			body.PreviewImageURL = &images[0]
		}
		switch generation.status(now) {
		case wordQueued, wordProcessing:
			body.Status = wordProcessing
		case wordFailed:
			failed++
		}
	}
	if failed > 0 && failed == len(g.generations) {
		body.Status = wordFailed
	}
	return body
}
