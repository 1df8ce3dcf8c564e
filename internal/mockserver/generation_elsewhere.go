package mockserver

import (
	"fmt"
	"net/http"
)

// GenerateElsewhere adds a group that another client of the organization has
// generated, without a request or a booking.
func (s *Server) GenerateElsewhere(characterID, title string, prompts ...string) Group {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	made := s.newGroup(s.opts.OrganizationID, characterID, title)
	batch := s.world.nextID("batch")
	for _, text := range prompts {
		s.takePrompt(characterID, promptRequest{Prompt: text}, made, batch, now)
	}
	return made.view(now)
}

// RefusalsNaming returns, by name, replies to a batch (in "rejected": to a
// prompt) that buys nothing. They name a group that need not be the client's.
// The caller sets Route and Times.
func RefusalsNaming(group Group) map[string]Fault {
	named := fmt.Sprintf(`"group_id":%q`, group.ID)
	faults := map[string]Fault{
		"rejected": {
			Status: http.StatusOK,
			Body: `{` + named + `,"status":"failed","message":"no prompt was accepted",` +
				`"total_requested":1,"successful_submissions":0,"failed_submissions":1,"credits_deducted":0,` +
				`"results":[{"generation_id":null,"status":"failed","prompt_index":0,"error":"not allowed"}]}`,
		},
		"success false": {
			Status: http.StatusOK,
			Body:   `{"success":false,"message":"not today",` + named + `,"credits_deducted":0,"results":[]}`,
		},
		"exists": {Status: http.StatusOK, Body: `{` + named + `,"status":"exists"}`},
		"skipped": {
			Status: http.StatusOK,
			Body:   `{` + named + `,"results":[{"status":"skipped","prompt_index":0}]}`,
		},
		"none of them": {Status: http.StatusOK, Body: `{` + named + `,"status":"FAILED","successful_submissions":0}`},
	}
	for _, status := range []int{400, 402, 409, 422, 500} {
		faults[fmt.Sprint(status)] = Fault{
			Status: status,
			Body:   `{"error":"refused","message":"a group of this name exists",` + named + `}`,
		}
	}
	if len(group.Generations) > 0 {
		faults["409 with a generation"] = Fault{Status: http.StatusConflict, Body: fmt.Sprintf(
			`{"error":"conflict","message":"these exist already",%s,`+
				`"results":[{"generation_id":%q,"status":"completed","prompt_index":0}]}`,
			named,
			group.Generations[0].ID,
		)}
	}
	return faults
}
