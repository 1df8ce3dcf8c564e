package mockserver

import (
	"encoding/json"
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
func (s *Server) submitBatch(c *call) (any, error) {
	var request batchRequest
	if err := json.Unmarshal(c.body, &request); err != nil {
		return nil, invalid(err.Error())
	}
	reasons := make([]string, len(request.Prompts))
	accepted := 0
	for i, prompt := range request.Prompts {
		reasons[i], _ = matchReason(s.world.rejects, prompt.Prompt)
		if reasons[i] == "" {
			accepted++
		}
	}
	if err := s.checkBatch(request, accepted); err != nil {
		return nil, s.refuseBatch(request, err)
	}
	target := s.targetGroup(request)
	if accepted == 0 && s.opts.Variant.ErrorBodyGroupID {
		return nil, &problem{
			status: http.StatusBadRequest, code: "no_prompt_accepted", message: reasons[0],
			characterID: request.CharacterID, groupID: target.id,
		}
	}
	return s.runBatch(c, request, target, reasons), nil
}

func (s *Server) checkBatch(request batchRequest, accepted int) error {
	if request.CharacterID != "" {
		if _, err := s.world.character(request.CharacterID); err != nil {
			return err
		}
	}
	if request.GroupID != "" && s.world.group(request.GroupID) == nil {
		p := notFound("group", request.GroupID)
		p.groupID = request.GroupID
		return p
	}
	return s.world.ledger.afford(float64(accepted) * s.opts.PromptCost)
}

// refuseBatch names, in the variant that does so, a group that was made before
// the service noticed that it cannot fill it.
func (s *Server) refuseBatch(request batchRequest, err error) error {
	var p *problem
	if errors.As(err, &p) && s.opts.Variant.ErrorBodyGroupID && p.status == http.StatusPaymentRequired {
		p.characterID, p.groupID = request.CharacterID, s.targetGroup(request).id
	}
	return err
}

// targetGroup is the existing group that the request names, which keeps its
// title, or a new one.
func (s *Server) targetGroup(request batchRequest) *group {
	if request.GroupID != "" {
		return s.world.group(request.GroupID)
	}
	made := &group{id: s.world.nextID("grp"), title: s.trim(request.GroupTitle), characterID: request.CharacterID}
	if made.title == "" {
		made.title = "Untitled group"
	}
	s.world.groups = append(s.world.groups, made)
	return made
}

func (s *Server) runBatch(c *call, request batchRequest, target *group, reasons []string) batchBody {
	batch := batchBody{
		BatchID: s.world.nextID("batch"), GroupID: target.id, GenerationType: request.generationType(),
		TotalRequested: len(request.Prompts), Results: []batchResultBody{},
	}
	var charged []string
	for i, prompt := range request.Prompts {
		result := batchResultBody{PromptIndex: i}
		if reasons[i] != "" {
			result.Status, result.Error = wordFailed, &reasons[i]
			batch.FailedSubmissions++
		} else {
			g := s.startGeneration(request.CharacterID, prompt, target, batch.BatchID, c.now)
			result.Status, result.GenerationID = wordQueued, &g.id
			batch.SuccessfulSubmissions++
			charged = append(charged, prompt.Prompt)
		}
		batch.Results = append(batch.Results, result)
	}
	batch.CreditsDeducted = float64(len(charged)) * s.opts.PromptCost
	if len(charged) > 0 {
		s.world.ledger.book(LedgerEntry{
			Kind: "batch", ID: batch.BatchID, Credits: batch.CreditsDeducted, Prompts: charged, At: c.now,
		})
	}
	balance := s.world.ledger.Balance
	batch.RemainingBalance = &balance
	batch.EstimatedTime = s.opts.GenerationTime.Seconds()
	batch.Status = batch.word()
	batch.Message = fmt.Sprintf("%d of %d prompts submitted", batch.SuccessfulSubmissions, batch.TotalRequested)
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

func (s *Server) startGeneration(characterID string, prompt promptRequest, target *group, batchID string, now time.Time) *generation {
	id := s.world.nextID("gen")
	g := &generation{
		Generation: Generation{
			ID: id, GroupID: target.id, BatchID: batchID, CharacterID: characterID, Type: typeCharacter,
			Prompt: s.trim(prompt.Prompt), SourceImageURL: prompt.SourceImageURL, FaceSwap: prompt.FaceSwap,
			UseFaceLoRA: prompt.UseFaceLoRA, UseBodyLoRA: prompt.UseBodyLoRA, CreatedAt: now,
		},
		id: id, group: target, work: span{now, s.opts.GenerationTime}, cost: s.opts.PromptCost,
	}
	if prompt.SourceImageURL != "" {
		g.Type = typePhotoEdit
	}
	g.failure = s.foresee(g, now)
	g.late.reads = s.opts.Variant.LateVisibility
	target.generations = append(target.generations, g)
	s.world.unsettled = append(s.world.unsettled, g)
	return g
}

// foresee tells why a generation is going to fail: a LoRA that it asks for does
// not exist, or a test wants it so. It is charged all the same.
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
