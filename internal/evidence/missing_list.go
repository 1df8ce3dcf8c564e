package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// This file decides whether the deployment lacks the list of a group. A single
// 404 may mean a missing path or a missing object, because a service may answer
// both in the same way. The conclusion saves requests, and the user is told of
// it. It is no proof that an object is gone.

// groupLists are the lists of groups for which the service itself has answered
// 404.
type groupLists struct {
	notFound map[string]error // by group
	// there holds the groups in notFound that have generations.
	there []string
}

// NoteGenerations notes that other endpoints show generations of a group. If
// the group's list was not found, the group exists nevertheless; two such
// groups prove that the endpoint is missing. After the first such group, the
// list of another group is requested, because a run may have no second group.
func (s *Groups) NoteGenerations(ctx context.Context, id string) {
	switch optional := &s.client.optional; optional.noteThere(id) {
	case 1:
		s.askForAnother(transport.OneAttempt(ctx), id)
	case 2:
		optional.noteMissing(api.GroupRoute)
	}
}

// askForAnother requests the list of a group that the service names: a
// different group if the service names any, or else the group id.
func (s *Groups) askForAnother(ctx context.Context, id string) {
	optional := &s.client.optional
	if !s.client.mayHave(api.GroupsRoute) {
		return
	}
	listed, err := s.List("").Read(ctx, new(int64(2)), nil)
	if isProvenNotFound(err) { // the path has no id, so the 404 is about the route
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
		optional.noteMissing(api.GroupRoute) // does nothing if the route has answered
	}
}

// noteThere notes that a group has generations. It returns the number of groups
// with generations whose list was not found. It returns 0 if the group was
// noted before, or if the endpoint has answered for any group.
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

// noteMissing notes that the deployment lacks a route, unless the route has
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
