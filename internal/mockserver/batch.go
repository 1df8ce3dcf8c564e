package mockserver

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	typeCharacter = "character"
	typePhotoEdit = "photo_edit"
)

// submitBatch is endpoint 5, which costs credits for each accepted prompt.
func (s *Server) submitBatch(c *call, request batchRequest) (any, error) {
	reasons := make([]string, len(request.Prompts))
	accepted := 0
	for i, prompt := range request.Prompts {
		reasons[i], _ = matchReason(s.world.rejects, prompt.Prompt)
		if reasons[i] == "" {
			accepted++
		}
	}
	if err := s.checkBatch(c, request, accepted); err != nil {
		return nil, s.refuseBatch(c, request, err)
	}
	target := s.targetGroup(c, request)
	if accepted == 0 && s.opts.Variant.ErrorBodyGroupID {
		return nil, &problem{
			status:      http.StatusBadRequest,
			code:        "no_prompt_accepted",
			message:     reasons[0],
			characterID: request.CharacterID,
			groupID:     target.id,
		}
	}
	return s.runBatch(c, request, target, reasons), nil
}

func (s *Server) checkBatch(c *call, request batchRequest, accepted int) error {
	if request.CharacterID != "" {
		if _, err := s.world.character(c.organization, request.CharacterID); err != nil {
			return err
		}
	}
	if request.GroupID != "" && s.world.group(c.organization, request.GroupID) == nil {
		p := notFound("group", request.GroupID)
		p.groupID = request.GroupID
		return p
	}
	return s.world.ledger.afford(float64(accepted) * s.opts.PromptCost)
}

// refuseBatch returns the refusal of a batch. In one variant it names a group
// that was created before the batch was refused.
func (s *Server) refuseBatch(c *call, request batchRequest, err error) error {
	var p *problem
	if errors.As(err, &p) && s.opts.Variant.ErrorBodyGroupID && p.status == http.StatusPaymentRequired {
		p.characterID = request.CharacterID
		p.groupID = s.targetGroup(c, request).id
	}
	return err
}

// targetGroup returns the requested existing group, which keeps its title, or a
// new one. In one variant it returns the group with the requested title.
func (s *Server) targetGroup(c *call, request batchRequest) *group {
	if request.GroupID != "" {
		return s.world.group(c.organization, request.GroupID)
	}
	title := s.kept(request.GroupTitle)
	if s.opts.Variant.GroupsByTitle && title != "" {
		if found := s.world.groupTitled(c.organization, title); found != nil {
			return found
		}
	}
	return s.newGroup(c.organization, request.CharacterID, cmp.Or(title, "Untitled group"))
}

func (s *Server) newGroup(organization, characterID, title string) *group {
	made := &group{
		id:           s.world.nextID("grp"),
		title:        title,
		characterID:  characterID,
		organization: organization,
		createdAt:    s.now(),
		late:         s.opts.Variant.later(),
	}
	s.world.groups = append(s.world.groups, made)
	return made
}

func (s *Server) runBatch(c *call, request batchRequest, target *group, reasons []string) batchBody {
	batch := batchBody{
		BatchID:        s.world.nextID("batch"),
		GroupID:        target.id,
		GenerationType: request.generationType(),
		TotalRequested: len(request.Prompts),
		Results:        []batchResultBody{},
	}
	var charged []string
	for i, prompt := range request.Prompts {
		result := batchResultBody{PromptIndex: i}
		if reasons[i] != "" {
			result.Status = wordFailed
			result.Error = &reasons[i]
			batch.FailedSubmissions++
		} else {
			g := s.takePrompt(request.CharacterID, prompt, target, batch.BatchID, c.now)
			result.Status = wordQueued
			result.GenerationID = &g.ID
			batch.SuccessfulSubmissions++
			charged = append(charged, prompt.Prompt)
		}
		batch.Results = append(batch.Results, result)
	}
	batch.CreditsDeducted = float64(len(charged)) * s.opts.PromptCost
	if len(charged) > 0 {
		s.book(LedgerEntry{
			Kind:        "batch",
			ID:          batch.BatchID,
			CharacterID: request.CharacterID,
			Credits:     batch.CreditsDeducted,
			Prompts:     charged,
			At:          c.now,
		})
	}
	balance := s.world.ledger.Balance
	batch.RemainingBalance = &balance
	batch.EstimatedTime = s.opts.GenerationTime.Seconds()
	batch.Status = batch.word()
	batch.Message = fmt.Sprintf("%d of %d prompts submitted", batch.SuccessfulSubmissions, batch.TotalRequested)
	return s.opts.Variant.receipt(batch)
}

// receipt returns the batch in the form of a variant's reply.
func (v Variant) receipt(batch batchBody) batchBody {
	var first *string
	for i := range batch.Results {
		if result := &batch.Results[i]; v.OneID && result.GenerationID != nil {
			first = cmp.Or(first, result.GenerationID)
			result.GenerationID = first
		}
	}
	switch v.Background {
	case BackgroundNoResults:
		batch.TotalRequested = 0
		batch.Results = []batchResultBody{}
	case BackgroundNoIDs:
		for i := range batch.Results {
			batch.Results[i] = batchResultBody{Status: wordProcessing, PromptIndex: i}
		}
	default:
		return batch
	}
	batch.SuccessfulSubmissions = 0
	batch.FailedSubmissions = 0
	batch.Status = wordProcessing
	batch.Message = "the batch is being processed"
	return batch
}

func (b batchBody) word() string {
	switch {
	case b.SuccessfulSubmissions == 0:
		return wordFailed
	case b.FailedSubmissions > 0:
		return wordPartial
	}
	return wordProcessing
}

func (r batchRequest) generationType() string {
	for _, prompt := range r.Prompts {
		if prompt.SourceImageURL == "" {
			return typeCharacter
		}
	}
	return typePhotoEdit
}

// takePrompt returns the generation of an accepted prompt: a new generation, or
// an earlier one that a variant considers equal.
func (s *Server) takePrompt(
	characterID string,
	prompt promptRequest,
	target *group,
	batchID string,
	now time.Time,
) *generation {
	g := s.newGeneration(characterID, prompt, target, batchID, now)
	for _, other := range target.generations {
		switch {
		case !other.sameInputs(g):
		case s.opts.Variant.ShareEqual && other.BatchID == batchID:
			return other
		case s.opts.Variant.RetakeFailed && other.BatchID != batchID && other.status(now) == wordFailed:
			other.BatchID = batchID
			other.work = g.work
			s.start(other, now)
			return other
		}
	}
	g.ID = s.world.nextID("gen")
	target.generations = append(target.generations, g)
	s.start(g, now)
	return g
}

func (s *Server) newGeneration(
	characterID string,
	prompt promptRequest,
	target *group,
	batchID string,
	now time.Time,
) *generation {
	g := &generation{
		Generation: Generation{
			GroupID:        target.id,
			BatchID:        batchID,
			CharacterID:    characterID,
			Type:           typeCharacter,
			Prompt:         s.kept(prompt.Prompt),
			SourceImageURL: prompt.SourceImageURL,
			FaceSwap:       prompt.FaceSwap,
			UseFaceLoRA:    prompt.UseFaceLoRA,
			UseBodyLoRA:    prompt.UseBodyLoRA,
			CreatedAt:      now,
		},
		group: target,
		work:  span{now, s.opts.GenerationTime},
	}
	if owner := s.world.byID[characterID]; owner != nil {
		g.look = lookOf(owner.CharacterSeed)
	}
	if prompt.SourceImageURL != "" {
		g.Type = typePhotoEdit
	}
	return g
}

func (s *Server) start(g *generation, now time.Time) {
	g.failure = s.foresee(g, now)
	g.late = s.opts.Variant.later()
}

// sameInputs reports whether two prompts have equal inputs.
func (g *generation) sameInputs(other *generation) bool {
	same := func(a, b *bool) bool { return a == b || a != nil && b != nil && *a == *b }
	return g.Prompt == other.Prompt && g.CharacterID == other.CharacterID && g.SourceImageURL == other.SourceImageURL &&
		same(
			g.FaceSwap,
			other.FaceSwap,
		) && same(g.UseFaceLoRA, other.UseFaceLoRA) && same(g.UseBodyLoRA, other.UseBodyLoRA)
}

// foresee returns why a generation will fail: a requested LoRA does not exist,
// or a test has said so. It is charged nevertheless.
func (s *Server) foresee(g *generation, now time.Time) string {
	if reason, ok := matchReason(s.world.failures, g.Prompt); ok {
		return reason
	}
	owner := s.world.byID[g.CharacterID]
	switch {
	case override(g.UseBodyLoRA, false) && (owner == nil || !owner.bodyTrained(now)):
		return "the body LoRA is not available"
	case override(g.UseFaceLoRA, false) && (owner == nil || !owner.faceTrained(now)):
		return "the face LoRA is not available"
	}
	return ""
}
