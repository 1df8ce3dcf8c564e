package api

import (
	"context"
	"iter"
	"net/url"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	groupsRoute = "/generation/groups"
	groupRoute  = "/generation/groups/{group_id}"

	// namedGroup is the field of an error body that holds the id of a group.
	namedGroup = "group_id"

	// ListedPerRequest is how many generations of a group one request shows.
	ListedPerRequest = 200
	// maxWithoutTotal limits the list of a group that does not say how many it
	// has.
	maxWithoutTotal = 100 * ListedPerRequest
)

// Group is a group of generations, as a list of groups or its own list shows it.
type Group struct {
	ID                            string `reply:"group_id"`
	Title, CharacterID, CreatedAt *string
	GroupType                     *reply.Text
	GenerationCount               *int64
	// Generations are those that its own list shows, in the service's order.
	// They have neither an error nor a progress. AllListed: these are all; else
	// that one is missing says nothing.
	Generations []*Generation `reply:"-"`
	AllListed   bool
}

// NamedGroup returns the id of the group, perhaps anybody's, that an error of
// the service names.
func NamedGroup(err error) string {
	if failure := reply.ErrorOf(err); failure != nil {
		return failure.Said.Named[namedGroup] // variant: error-group-id
	}
	return ""
}

// ByID returns the generations by their ids. A nil group has none.
func (g *Group) ByID() map[string]*Generation {
	shown := map[string]*Generation{}
	if g != nil {
		for _, generation := range g.Generations {
			shown[*generation.GenerationID] = generation
		}
	}
	return shown
}

// Each reads GET /generation/groups as far as is needed: the groups of a
// character, or all if that is empty. It ends with ErrIncompleteList if the
// pages contradict each other.
func (s *GroupService) Each(ctx context.Context, characterID string) iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		for group, err := range newPager[Group](s.client, groupsOf(characterID)).all(ctx) {
			if (err != nil || group.isOf(characterID)) && !yield(group, err) {
				return
			}
		}
	}
}

// Some reads one page of the same: what a person may look for. It is nil
// if nothing was read.
func (s *GroupService) Some(ctx context.Context, characterID string) ([]Group, error) {
	read, err := readOptional(ctx, s.client, groupsRoute, characterID, func(ctx context.Context) (*page[Group], error) {
		return readPage[Group](ctx, s.client, groupsOf(characterID), new(int64(pageSize)), nil)
	})
	if read == nil {
		return nil, err
	}
	return slices.DeleteFunc(
		read.items,
		func(group Group) bool { return group.ID == "" || !group.isOf(characterID) },
	), err
}

// groupsOf is the list of a character's groups, or of all.
func groupsOf(characterID string) list {
	request := func(query url.Values) *transport.Request {
		if characterID != "" {
			query.Set("character_id", characterID)
		}
		return transport.Get(groupsRoute).
			Optional("Do without extended_reads.").
			Query(query).
			Expect("groups", "group_id")
	}
	return list{
		request:   request,
		size:      pageSize,
		name:      "groups",
		id:        "group_id",
		hasErrors: true,
	}
}

// isOf reports whether the group may be one of a character: a service may
// ignore the filter.
func (g Group) isOf(characterID string) bool {
	return characterID == "" || g.CharacterID == nil || *g.CharacterID == characterID
}

// Get reads GET /generation/groups/{group_id}, as long as its pages show no
// more than they count.
func (s *GroupService) Get(ctx context.Context, id string) (*Group, error) {
	request := func(query url.Values) *transport.Request {
		return transport.Get(groupRoute, id).
			Optional("Do without extended_reads.").
			Query(query).
			Expect("generations", "generation_id")
	}
	read := newPager[Generation](s.client, list{
		request:   request,
		size:      ListedPerRequest,
		name:      "generations",
		id:        "generation_id",
		hasErrors: true,
	})
	shown := 0
	ends := true
	err := read.until(ctx, func() bool {
		if all := len(read.order); all > shown {
			count := read.last.Integer("generation_count")
			shown = all
			ends = count == nil && all < maxWithoutTotal || int64(all) <= value(count)
		}
		return read.ended || !ends
	})
	if err == nil && !ends {
		err = &reply.Error{Sent: reply.Request{Operation: request(nil).Operation()}, Err: ErrIncompleteList}
	}
	if err != nil {
		return nil, err
	}
	group := decode[Group](read.last)
	group.ID = id
	for _, id := range read.order {
		group.Generations = append(group.Generations, read.byID[id])
	}
	group.AllListed = !read.inconsistent && group.GenerationCount != nil &&
		*group.GenerationCount == int64(len(group.Generations))
	return group, nil
}
