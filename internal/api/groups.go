package api

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	groupsRoute = "/generation/groups"
	groupRoute  = "/generation/groups/{group_id}"
)

const (
	// ListedPerRequest is how many generations of a group one request shows.
	ListedPerRequest = 200
	// mostUncounted limits the list of a group that does not say how many it has.
	mostUncounted = 100 * ListedPerRequest
)

// Group is a group of generations, as a list of groups or its own list shows it.
type Group struct {
	ID                                       string `reply:"group_id"`
	Title, CharacterID, GroupType, CreatedAt *string
	GenerationCount                          *int64
	// Generations are those that its own list shows, in the service's order. They have
	// neither an error nor a progress. Whole: these are all; else that one is missing
	// says nothing.
	Generations []*Generation `reply:"-"`
	Whole       bool
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

// EachGroup iterates over GET /generation/groups: the groups of a character, or all if
// that is empty. It reads of it what is needed, and ends with ErrIncompleteList if the
// pages contradict each other.
func (c *Client) EachGroup(ctx context.Context, characterID string) iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		wanted := true
		request := func() *transport.Request { return transport.Get(groupsRoute).Further("do without extended_reads") }
		read, _, err := c.readPages(ctx, request, groupsOf(characterID), pageSize, "groups", "group_id", func(_, item transport.Object) bool {
			group := decode[Group](item)
			wanted = !group.isOf(characterID) || yield(*group, nil)
			return wanted
		})
		if err == nil && read.short {
			err = &Error{Operation: "GET " + groupsRoute, Err: ErrIncompleteList}
		}
		if wanted && err != nil {
			yield(Group{}, err)
		}
	}
}

// SomeGroups reads one page of the same: what a person may look for. It is nil if
// nothing was read.
func (c *Client) SomeGroups(ctx context.Context, characterID string) (groups []Group, err error) {
	query := groupsOf(characterID)
	query.Set("limit", strconv.Itoa(pageSize))
	reply, err := offered(ctx, c, groupsRoute, characterID, func(ctx context.Context) (*transport.Object, error) {
		reply, err := c.do(ctx, transport.Get(groupsRoute).Further("do without extended_reads").Query(query).Expect("groups"))
		return &reply, err
	})
	if reply == nil {
		return nil, err
	}
	items, _ := value(reply).Objects("groups")
	groups = []Group{}
	for _, item := range items {
		if group := decode[Group](item); group.ID != "" && group.isOf(characterID) {
			groups = append(groups, *group)
		}
	}
	return groups, err
}

func groupsOf(characterID string) url.Values {
	if characterID == "" {
		return url.Values{}
	}
	return url.Values{"character_id": {characterID}}
}

// isOf reports whether the group may be one of a character: a service may ignore the
// filter.
func (g Group) isOf(characterID string) bool {
	return characterID == "" || g.CharacterID == nil || *g.CharacterID == characterID
}

// Group reads all pages of GET /generation/groups/{group_id}, as long as they show no
// more than they count.
func (c *Client) Group(ctx context.Context, id string) (*Group, error) {
	var generations []*Generation
	ends := true
	request := func() *transport.Request { return transport.Get(groupRoute, id).Further("do without extended_reads") }
	read, last, err := c.readPages(ctx, request, url.Values{}, ListedPerRequest, "generations", "generation_id", func(page, item transport.Object) bool {
		generations = append(generations, decode[Generation](item))
		count := page.Integer("generation_count")
		ends = count == nil && len(generations) < mostUncounted || int64(len(generations)) <= value(count)
		return ends
	})
	if err == nil && !ends {
		err = &Error{Operation: request().Operation(), Err: ErrIncompleteList}
	}
	if err != nil {
		return nil, err
	}
	group := decode[Group](last)
	group.ID, group.Generations = id, generations
	group.Whole = !read.odd && group.GenerationCount != nil && *group.GenerationCount == int64(len(group.Generations))
	return group, nil
}
