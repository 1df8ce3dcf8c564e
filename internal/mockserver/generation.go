package mockserver

import (
	"net/url"
	"slices"
	"time"
)

// Group is a snapshot of a group of generations.
type Group struct {
	ID          string       `json:"id"`
	Title       string       `json:"title"`
	CharacterID string       `json:"character_id"`
	Generations []Generation `json:"generations"`
}

// Generation is a snapshot of a generation.
type Generation struct {
	ID             string    `json:"id"`
	GroupID        string    `json:"group_id"`
	BatchID        string    `json:"batch_id"`
	CharacterID    string    `json:"character_id"`
	Type           string    `json:"type"` // character or photo_edit
	Prompt         string    `json:"prompt"`
	SourceImageURL string    `json:"source_image_url"`
	FaceSwap       *bool     `json:"face_swap"` // nil if the request left it out
	UseFaceLoRA    *bool     `json:"use_face_lora"`
	UseBodyLoRA    *bool     `json:"use_body_lora"`
	Status         string    `json:"status"` // the service's own word: queued, processing, completed, failed
	Progress       int       `json:"progress"`
	Error          string    `json:"error"` // why it failed
	CreatedAt      time.Time `json:"created_at"`
	EndsAt         time.Time `json:"ends_at"` // or ended
}

type group struct {
	id, title    string
	characterID  string
	organization string
	createdAt    time.Time
	generations  []*generation
	late         later // in lists of groups
}

type generation struct {
	Generation // Status, Progress, Error and EndsAt are computed at each read
	group      *group
	work       span
	failure    string // why it fails at its end
	look       *look  // of the character when it was submitted; nil if there was no character
	late       later
}

// Groups returns all groups, oldest first.
func (s *Server) Groups() []Group {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []Group{}
	for _, g := range s.world.groups {
		found = append(found, g.view(s.now()))
	}
	return found
}

// Group returns one group; ok is false if there is none.
func (s *Server) Group(id string) (found Group, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.world.group("", id); g != nil {
		return g.view(s.now()), true
	}
	return Group{}, false
}

// Generation returns one generation; ok is false if there is none.
func (s *Server) Generation(id string) (found Generation, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.world.generation("", id); g != nil {
		return g.view(s.now()), true
	}
	return Generation{}, false
}

// DeleteGenerationBehindTheBack deletes a generation and its image without a
// request.
func (s *Server) DeleteGenerationBehindTheBack(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.world.generation("", id); g != nil {
		s.removeGeneration(g)
	}
}

// DeleteGroupBehindTheBack deletes a group and its images without a request.
func (s *Server) DeleteGroupBehindTheBack(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.world.group("", id); g != nil {
		s.world.removeGroup(g)
	}
}

// RejectPrompt makes the reply to a batch reject prompts with the substring.
// They cost nothing. An empty reason ends this.
func (s *Server) RejectPrompt(substring, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.rejects[substring] = reason
}

// FailPrompt makes generations of prompts with the substring fail at their end,
// if they are submitted from now on. They cost as much as others. It also makes
// the jobs of videos fail, by their address. An empty reason ends this.
func (s *Server) FailPrompt(substring, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.world.failures[substring] = reason
}

func (g *group) view(now time.Time) Group {
	view := Group{
		ID:          g.id,
		Title:       g.title,
		CharacterID: g.characterID,
		Generations: []Generation{},
	}
	for _, generation := range g.generations {
		view.Generations = append(view.Generations, generation.view(now))
	}
	return view
}

func (g *generation) view(now time.Time) Generation {
	view := g.Generation
	view.Status = g.status(now)
	view.Progress = g.work.percent(now)
	view.Error = ""
	view.EndsAt = g.work.end()
	if view.Status == wordFailed {
		view.Error = g.failure
	}
	return view
}

func (g *generation) status(now time.Time) string {
	switch progress := g.work.percent(now); {
	case progress == 0:
		return wordQueued
	case progress < 100:
		return wordProcessing
	case g.failure != "":
		return wordFailed
	}
	return wordCompleted
}

// images returns the addresses of the generation's results so far.
func (g *generation) images(origin string, now time.Time) []string {
	if g.status(now) != wordCompleted {
		return []string{}
	}
	return []string{origin + "/media/results/" + url.PathEscape(g.ID) + ".png"}
}

// generationStatus is endpoint 6.
func (s *Server) generationStatus(c *call) (any, error) {
	g := s.world.generation(c.organization, c.params["generation_id"])
	if g == nil || !g.late.visible() {
		return nil, notFound("generation", c.params["generation_id"])
	}
	return s.generationBody(c, g), nil
}

func (s *Server) generationBody(c *call, g *generation) generationBody {
	view := g.view(c.now)
	body := generationBody{
		GenerationID:   g.ID,
		GroupID:        g.group.id,
		GenerationType: g.Type,
		Status:         view.Status,
		Progress:       view.Progress,
		ResultURLs:     s.inline(g.Prompt, g.images(c.origin, c.now)),
		Error:          nullable(view.Error),
		CreatedAt:      stamp(g.CreatedAt),
		Prompt:         g.Prompt,
		Service:        "renderer-1",
	}
	shows := s.opts.Variant.ResultsFor
	if shows > 0 && c.now.After(g.work.end().Add(shows)) && view.Status == wordCompleted {
		body.Status = wordArchived
		body.ResultURLs = []string{}
	}
	if g.work.over(c.now) {
		body.PerformanceMetadata = map[string]any{"seconds": g.work.duration.Seconds(), "steps": 28}
	}
	return body
}

// removeGeneration also removes a group that has no generations left, unless
// the variant keeps it.
func (s *Server) removeGeneration(g *generation) {
	g.group.generations = slices.DeleteFunc(g.group.generations, func(other *generation) bool { return other == g })
	if len(g.group.generations) == 0 && !s.opts.Variant.KeepEmptyGroups {
		s.world.removeGroup(g.group)
	}
}
