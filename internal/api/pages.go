package api

import (
	"context"
	"net/url"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	pageSize = 100
	// maxPages limits the pages read from a service that always returns more.
	maxPages = 10_000
)

// Pagination is the position of a slice.
type Pagination struct {
	Limit, Offset, Returned *int64
	HasMore                 *bool
}

// more reports whether there may be another slice after one of so many items: the
// service may return fewer than requested.
func (p *Pagination) more(items int) bool {
	switch {
	case p.HasMore != nil:
		return *p.HasMore
	case items == 0:
		return false
	case p.Limit != nil:
		return int64(items) >= *p.Limit
	default:
		return true
	}
}

// listing is how far a list was read, page by page, and what its pages prove.
type listing struct {
	seen          map[string]bool
	offset, pages int64
	done          bool
	// short: elements are certainly missing. odd: some may be, for instance because one
	// moved to another page meanwhile.
	short, odd bool
}

// turn takes over the ids of the next page, of at most size, detects contradictions with
// those before, and returns which are new. It advances by as many different ones as were
// requested: the service may not count others.
func (l *listing) turn(ids []string, size int, pagination Pagination, whole bool) (fresh []int) {
	inPage := map[string]bool{}
	for i, id := range ids {
		switch {
		case id == "":
			l.short = true
		case inPage[id]: // variant: pages-repeating
		case l.seen[id]:
			l.odd = true
		default:
			l.seen[id] = true
			fresh = append(fresh, i)
		}
		inPage[id] = true
	}
	l.pages++
	l.offset += int64(min(len(inPage), size)) // variant: pages-too-long
	more := pagination.more(len(ids))
	l.done = !more || len(fresh) == 0 || l.pages >= maxPages
	stuck := more && l.done && (len(ids) > 0 || pagination.HasMore != nil)
	l.short = l.short || !whole || stuck || int64(len(ids)) < value(pagination.Returned)
	// A repeated element may hide a missing one.
	l.odd = l.odd || l.short || len(inPage) < min(len(ids), size)
	return fresh
}

// readPages reads a list of objects with an id, to its end or as long as each wants
// more. It is given every object once, with its page, and returns the last page.
func (c *Client) readPages(
	ctx context.Context, request func() *transport.Request, query url.Values, limit int, name, id string, each func(page, item transport.Object) (more bool),
) (*listing, transport.Object, error) {
	read := &listing{seen: map[string]bool{}}
	query.Set("limit", strconv.Itoa(limit))
	for {
		query.Set("offset", strconv.FormatInt(read.offset, 10))
		reply, err := c.do(ctx, request().Query(query).Expect(name, id))
		if err != nil {
			return nil, nil, err
		}
		items, whole := reply.Objects(name)
		var ids []string
		for _, item := range items {
			ids = append(ids, value(item.Text(id)))
		}
		pagination := *decode[Pagination](reply.Object("pagination"))
		for _, i := range read.turn(ids, limit, pagination, whole && reply.Wording("error") == nil) {
			if !each(reply, items[i]) {
				return read, reply, nil
			}
		}
		if read.done {
			return read, reply, nil
		}
	}
}
