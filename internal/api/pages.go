package api

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"reflect"
	"strconv"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	pageSize = 100
	maxPages = 10_000 // of a service that always returns more
)

// ErrIncompleteList says that the pages of a list contradict each other.
var ErrIncompleteList = errors.New("the service's list is incomplete: its pages do not add up")

// Pagination is the position of a slice.
type Pagination struct {
	Limit, Offset, Returned *int64
	HasMore                 *bool
}

// list is one that the service shows page by page.
type list struct {
	request   func(query url.Values) *transport.Request
	size      int64  // of a page, at most
	name, id  string // of the list in a reply, and of an item's id
	hasErrors bool   // an error beside the list says that it is not whole
}

// page is one page of a list, and what it says about the pages after it.
type page[T any] struct {
	items []T
	ids   []string     // of the items
	whole bool         // the list is neither missing nor unreadable in part
	rest  reply.Object // of the reply
}

// readPage reads at most limit items from offset on. Nil numbers are left to
// the service.
func readPage[T any](ctx context.Context, c *Client, l list, limit, offset *int64) (*page[T], error) {
	query := url.Values{}
	for name, number := range map[string]*int64{"limit": limit, "offset": offset} {
		if number != nil {
			query.Set(name, strconv.FormatInt(*number, 10))
		}
	}
	said, err := c.do(ctx, l.request(query))
	if err != nil {
		return nil, err
	}
	objects, whole := said.Objects(l.name)
	read := &page[T]{
		items: make([]T, len(objects)),
		whole: whole && (!l.hasErrors || said.ErrorText("error") == nil),
		rest:  said,
	}
	for i, object := range objects {
		fill(reflect.ValueOf(&read.items[i]).Elem(), object)
		id := value(object.Text(l.id))
		if !reply.IsID(id) {
			id = "" // as the item's
		}
		read.ids = append(read.ids, id)
	}
	delete(said, l.name) // shared pages are kept
	return read, nil
}

// pager reads a list, as far as somebody wants it, and knows what its pages
// prove.
type pager[T any] struct {
	list
	read func(ctx context.Context, offset int64) (*page[T], error)

	mutex         sync.Locker   // guards the rest
	order         []string      // the ids in the service's order
	byID          map[string]*T // may know more than order, and newer
	seen          map[string]bool
	last          reply.Object // the rest of the last page
	offset, pages int64
	ended         bool
	// truncated: elements are certainly missing. contradicting: some may be,
	// for instance because one moved to another page meanwhile.
	truncated, inconsistent bool
	complete                func() // adds, after each page, what none shows yet
}

// newPager reads a list page by page, as far as it is asked for.
func newPager[T any](c *Client, l list) *pager[T] {
	read := func(ctx context.Context, offset int64) (*page[T], error) {
		return readPage[T](ctx, c, l, &l.size, &offset)
	}
	return &pager[T]{
		list:     l,
		read:     read,
		mutex:    &sync.Mutex{},
		complete: func() {},
		byID:     map[string]*T{},
		seen:     map[string]bool{},
	}
}

// until reads pages until there is enough, which is asked with the mutex held.
// Who waits for a page that another reads looks at it, and may have to wait for
// the next.
func (p *pager[T]) until(ctx context.Context, enough func() bool) error {
	for {
		p.mutex.Lock()
		is := enough()
		offset := p.offset
		p.mutex.Unlock()
		if is && ctx.Err() == nil {
			return nil
		}
		next, err := p.read(ctx, offset)
		if err != nil {
			return err
		}
		p.mutex.Lock()
		if p.offset == offset && !p.ended {
			p.turn(next)
			p.complete()
		}
		p.mutex.Unlock()
	}
}

// all reads as far as is needed. It ends with ErrIncompleteList if elements are
// certainly missing.
func (p *pager[T]) all(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for i := 0; ; i++ {
			item, err := p.at(ctx, i)
			isEnd := err == nil && item == nil
			if isEnd || !yield(value(item), err) || err != nil {
				return
			}
		}
	}
}

// at returns an item of the list, and reads as far as it takes; nil after the
// last. A list that was cut short has no last: that is an error.
func (p *pager[T]) at(ctx context.Context, i int) (item *T, err error) {
	err = p.until(ctx, func() bool {
		if i < len(p.order) {
			item = p.byID[p.order[i]]
		}
		return item != nil || p.ended
	})
	if err == nil && item == nil && p.truncated {
		err = &reply.Error{Sent: reply.Request{Operation: p.request(url.Values{}).Operation()}, Err: ErrIncompleteList}
	}
	return item, err
}

// turn takes over the next page, and detects contradictions with those before.
// It advances by as many different items as were requested: the service may not
// count others.
func (p *pager[T]) turn(next *page[T]) {
	count := int64(len(next.ids))
	before := len(p.order)
	inPage := map[string]bool{}
	for i, id := range next.ids {
		switch {
		case id == "":
			p.truncated = true
		case inPage[id]: // variant: pages-repeating
		case p.seen[id]:
			p.inconsistent = true
		default:
			p.add(id, &next.items[i])
		}
		inPage[id] = true
	}
	pagination := decode[Pagination](next.rest.Object("pagination"))
	more := count > 0 && count >= value(pagination.Limit) // its own limit: it may return fewer than requested
	if pagination.HasMore != nil {
		more = *pagination.HasMore
	}
	p.pages++
	p.offset += min(int64(len(inPage)), p.size) // variant: pages-too-long
	p.ended = !more || len(p.order) == before || p.pages >= maxPages
	endsEarly := more && p.ended
	returnsFewer := count < value(pagination.Returned)
	p.truncated = p.truncated || !next.whole || endsEarly || returnsFewer
	// A repeated element may hide a missing one.
	p.inconsistent = p.inconsistent || p.truncated || int64(len(inPage)) < min(count, p.size)
	p.last = next.rest
}

// add appends an item. What is known of it already is newer than the page.
func (p *pager[T]) add(id string, item *T) {
	p.seen[id] = true
	p.order = append(p.order, id)
	if p.byID[id] == nil {
		p.byID[id] = item
	}
}
