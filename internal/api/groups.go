package api

import (
	"context"
	"iter"
	"net/url"
	"strconv"
	"time"

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
	ID                                       string
	Title, CharacterID, GroupType, CreatedAt *string
	GenerationCount                          *int64
	// Generations are those that its own list shows, in the service's order. They have
	// neither an error nor a progress. Whole: these are all; else that one is missing
	// says nothing.
	Generations []*Generation
	Whole       bool
	// Date is when its own list was shown, by the service's clock; zero if it did not say.
	Date time.Time
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
	list := &GroupList{}
	read, err := c.readGroups(ctx, characterID, func(group Group) bool {
		list.Groups = append(list.Groups, group)
		return true
	})
	if err != nil {
		return nil, err
	}
	list.Whole, list.Date = read.whole && !read.repeats, read.date
	return list, nil
}

// EachGroup iterates over the same, and reads of it what is needed. It ends with
// ErrIncompleteList if the pages contradict each other.
func (c *Client) EachGroup(ctx context.Context, characterID string) iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		wanted := true
		read, err := c.readGroups(ctx, characterID, func(group Group) bool {
			wanted = yield(group, nil)
			return wanted
		})
		if err == nil && !read.whole {
			err = &Error{Operation: "GET " + groupsRoute, Err: ErrIncompleteList}
		}
		if wanted && err != nil {
			yield(Group{}, err)
		}
	}
}

func (c *Client) readGroups(ctx context.Context, characterID string, each func(Group) (more bool)) (*pages, error) {
	query := url.Values{}
	if characterID != "" {
		query.Set("character_id", characterID)
	}
	request := func() *transport.Request { return transport.Get(groupsRoute).Further() }
	return c.readPages(ctx, request, query, pageSize, "groups", "group_id", func(_, item transport.Object) bool {
		group := decodeGroup(item)
		isOther := characterID != "" && group.CharacterID != nil && *group.CharacterID != characterID
		return isOther || each(group) // a service may ignore the filter
	})
}

// Group reads all pages of GET /generation/groups/{group_id}, as long as they show no
// more than they count.
func (c *Client) Group(ctx context.Context, id string) (*Group, error) {
	var generations []*Generation
	ends := true
	request := func() *transport.Request { return transport.Get(groupRoute, id).Further() }
	read, err := c.readPages(ctx, request, url.Values{}, ListedPerRequest, "generations", "generation_id", func(page, item transport.Object) bool {
		generations = append(generations, decodeGeneration(item))
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
	group := decodeGroup(read.last)
	group.ID, group.Generations, group.Date = id, generations, read.date
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
	// last is the last reply, of date by the service's clock.
	last transport.Object
	date time.Time
	// whole: the list says that it has ended, and its pages do not contradict
	// themselves. repeats: they show something twice, which may hide a missing one.
	whole, repeats bool
}

// readPages reads a list of objects with an id, to its end or as long as each wants
// more. It is given every object once, with its page.
func (c *Client) readPages(
	ctx context.Context, request func() *transport.Request, query url.Values, limit int, name, id string, each func(page, item transport.Object) (more bool),
) (*pages, error) {
	read, seen := &pages{whole: true}, map[string]bool{}
	query.Set("limit", strconv.Itoa(limit))
	for offset, more := 0, true; more; {
		query.Set("offset", strconv.Itoa(offset))
		reply, err := c.do(ctx, request().Query(query).Dated(&read.date).Expect(name, id))
		if err != nil {
			return nil, err
		}
		items, whole := reply.Objects(name)
		fresh, inPage := 0, map[string]bool{}
		for _, item := range items {
			own := value(item.Text(id, "id"))
			inPage[own] = true
			if own == "" || seen[own] {
				continue
			}
			seen[own] = true
			if fresh++; !each(reply, item) {
				return read, nil
			}
		}
		pagination := decodePagination(reply)
		more = fresh > 0 && pagination.more(len(items)) && offset < limit*maxPages
		ends := pagination.HasMore != nil && *pagination.HasMore == more
		read.repeats = read.repeats || fresh < len(items)
		read.whole = read.whole && whole && ends && !inPage[""] && int64(len(items)) >= value(pagination.Returned) && reply.Wording("error") == nil
		read.last, offset = reply, offset+min(len(inPage), limit)
	}
	return read, nil
}
