package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Whether the deployment lacks the list of a group. A service may answer a path
// that it does not have as it answers for an object that it does not have: a
// single 404 means either. The conclusion is told, and saves requests; no object
// is taken for gone because of it.

// groupLists are the lists of groups that the service itself says it does not
// have.
type groupLists struct {
	notFound map[string]error // by group
	// there are those of them whose groups have generations.
	there []string
}

// NoteGenerations says that other endpoints show generations of a group. If its
// list was not found, the group is not what is missing: two such groups mean
// that the endpoint is. For the first, another group is asked for, since a run
// may have no second.
func (s *Groups) NoteGenerations(ctx context.Context, id string) {
	switch optional := &s.client.optional; optional.noteThere(id) {
	case 1:
		s.askForAnother(transport.OneAttempt(ctx), id)
	case 2:
		optional.noteMissing(api.GroupRoute)
	}
}

// askForAnother asks for the list of a group that the service names: another
// one if it names any.
func (s *Groups) askForAnother(ctx context.Context, id string) {
	optional := &s.client.optional
	if !s.client.mayHave(api.GroupsRoute) {
		return
	}
	listed, err := s.List("").Read(ctx, new(int64(2)), nil)
	if isProvenNotFound(err) { // of what has no id
		optional.noteMissing(api.GroupsRoute)
		optional.noteMissing(api.GroupRoute)
	}
	if err != nil {
		return
	}
	named := ""
	for _, group := range listed.Items {
		if named == "" || named == id {
			named = cmp.Or(group.ID, named)
		}
	}
	if named == "" || !s.client.mayHave(api.GroupRoute) {
		return
	}
	_, err = s.Get(ctx, named)
	if err == nil || isProvenNotFound(err) {
		_ = optional.noteResult(api.GroupRoute, named, err)
		optional.noteMissing(api.GroupRoute) // unless it has answered
	}
}

// noteThere notes that a group has generations, and returns how many are now
// known whose list was not found: 0 if that is no news, or if the endpoint has
// answered for some group.
func (e *optionalEndpoints) noteThere(id string) int {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	isNews := e.lists.notFound[id] != nil && !slices.Contains(e.lists.there, id)
	if !isNews || e.answered[api.GroupRoute] {
		return 0
	}
	e.lists.there = append(e.lists.there, id)
	return len(e.lists.there)
}

// noteMissing concludes that the deployment lacks a route, unless it has
// answered.
func (e *optionalEndpoints) noteMissing(route string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.answered[route] || e.missing[route] {
		return
	}
	e.missing[route] = true
	notFound := e.lists.notFound[e.lists.there[0]]
	e.failure = cmp.Or(e.failure, fmt.Errorf("%w, although the group has generations", notFound))
}
