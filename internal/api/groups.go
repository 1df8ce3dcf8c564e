package api

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	groupsRoute = "/generation/groups"
	groupRoute  = "/generation/groups/{group_id}"
)

// ListedPerRequest is how many generations of a group one request shows.
const ListedPerRequest = 200

// Group is a group of generations, as a list of groups or its own list shows it.
type Group struct {
	ID                                       string
	Title, CharacterID, GroupType, CreatedAt *string
	GenerationCount                          *int64
	// Generations are those that its own list shows, in the service's order. They have
	// neither an error nor a progress. Whole: these are all; else that one is missing
	// says nothing.
	Generations []*Generation
	Whole       bool
}

// GroupList is the list of groups. That one is missing says nothing, unless it is whole.
type GroupList struct {
	Groups []Group
	Whole  bool
	// Date is when the service answered last, by its own clock; zero if it did not say.
	Date time.Time
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

// Groups reads all pages of GET /generation/groups: the groups of a character, or all
// if that is empty.
func (c *Client) Groups(ctx context.Context, characterID string) (*GroupList, error) {
	query := url.Values{}
	if characterID != "" {
		query.Set("character_id", characterID)
	}
	read, err := c.readPages(ctx, func() *transport.Request { return transport.Get(groupsRoute).Further() }, query, pageSize, "groups", "group_id")
	if err != nil {
		return nil, err
	}
	list := &GroupList{Whole: read.whole, Date: read.date}
	for _, item := range read.items {
		// A service may ignore the filter.
		if group := decodeGroup(item); characterID == "" || group.CharacterID == nil || *group.CharacterID == characterID {
			list.Groups = append(list.Groups, group)
		}
	}
	return list, nil
}

// Group reads all pages of GET /generation/groups/{group_id}.
func (c *Client) Group(ctx context.Context, id string) (*Group, error) {
	read, err := c.readPages(ctx, func() *transport.Request { return transport.Get(groupRoute, id) }, url.Values{}, ListedPerRequest, "generations", "generation_id")
	if err != nil {
		return nil, err
	}
	group := decodeGroup(read.last)
	group.ID = id
	for _, item := range read.items {
		group.Generations = append(group.Generations, decodeGeneration(item))
	}
	group.Whole = read.whole && group.GenerationCount != nil && *group.GenerationCount == int64(len(group.Generations))
	return &group, nil
}

func decodeGroup(object transport.Object) Group {
	return Group{
		ID:              value(object.Text("group_id", "id")),
		Title:           object.Text("title"),
		CharacterID:     object.Text("character_id"),
		GroupType:       object.Text("group_type"),
		CreatedAt:       object.Text("created_at"),
		GenerationCount: object.Integer("generation_count"),
	}
}

// pages are what the pages of a list show.
type pages struct {
	// items are each shown once.
	items []transport.Object
	// last is the last reply, of date by the service's clock.
	last transport.Object
	date time.Time
	// whole: the list says that it has ended, and its pages contradict neither
	// themselves nor each other.
	whole bool
}

// readPages reads a list of objects with an id, to its end.
func (c *Client) readPages(ctx context.Context, request func() *transport.Request, query url.Values, limit int, name, id string) (*pages, error) {
	read, seen := &pages{whole: true}, map[string]bool{}
	query.Set("limit", strconv.Itoa(limit))
	for offset, more := 0, true; more; {
		query.Set("offset", strconv.Itoa(offset))
		reply, err := c.do(ctx, request().Query(query).Dated(&read.date).Expect(name, id))
		if err != nil {
			return nil, err
		}
		items, whole := reply.Objects(name)
		before, inPage := len(read.items), map[string]bool{}
		for _, item := range items {
			own := value(item.Text(id, "id"))
			inPage[own] = true
			if own != "" && !seen[own] {
				seen[own] = true
				read.items = append(read.items, item)
			}
		}
		pagination, fresh := decodePagination(reply), len(read.items)-before
		more = fresh > 0 && pagination.more(len(items)) && offset < limit*maxPages
		ends := pagination.HasMore != nil && *pagination.HasMore == more
		// A repeated object may hide a missing one.
		read.whole = read.whole && whole && ends && fresh == len(items) && int64(len(items)) >= value(pagination.Returned) && reply.Wording("error") == nil
		read.last, offset = reply, offset+min(len(inPage), limit)
	}
	return read, nil
}
