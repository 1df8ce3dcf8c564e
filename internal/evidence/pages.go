package evidence

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// maxPages limits the list of a service that always announces another page.
const maxPages = 10_000

// ErrIncompleteList means that the pages of a list contradict each other.
var ErrIncompleteList = errors.New("the service's list is incomplete: its pages do not add up")

// pager reads a list page by page as far as needed, and checks whether the
// pages fit together.
type pager[T any] struct {
	size      int64  // the greatest size of a page
	operation string // of a request for a page, for errors
	read      func(ctx context.Context, offset int64) (*api.Page[T], error)

	mutex         sync.Locker   // guards the rest
	order         []string      // the ids in the service's order
	byID          map[string]*T // may have more and newer items than order
	seen          map[string]bool
	last          reply.Object // the rest of the last page
	offset, pages int64
	ended         bool
	// truncated is true if elements are certainly missing. inconsistent is true if
	// elements may be missing, for instance because an element has moved to
	// another page meanwhile.
	truncated, inconsistent bool
	complete                func() // adds, after each page, elements that no page shows yet
}

// newPager returns a pager that has read nothing yet.
func newPager[T any](list api.List[T]) *pager[T] {
	read := func(ctx context.Context, offset int64) (*api.Page[T], error) {
		return list.Read(ctx, &list.Size, &offset)
	}
	return &pager[T]{
		size:      list.Size,
		operation: list.Operation(),
		read:      read,
		mutex:     &sync.Mutex{},
		complete:  func() {},
		byID:      map[string]*T{},
		seen:      map[string]bool{},
	}
}

// until reads pages until enough returns true. It calls enough with the mutex
// held. If another caller is reading the next page, until waits for this page,
// and then asks again.
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

// all iterates over the list, and reads pages only when they are needed. It
// ends with ErrIncompleteList if elements are certainly missing.
func (p *pager[T]) all(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for i := 0; ; i++ {
			item, err := p.at(ctx, i)
			isEnd := err == nil && item == nil
			if isEnd || !yield(reply.ValueOf(item), err) || err != nil {
				return
			}
		}
	}
}

// at returns an item of the list, and reads as many pages as that takes. It
// returns nil after the last item, or an error if the list was truncated.
func (p *pager[T]) at(ctx context.Context, i int) (item *T, err error) {
	err = p.until(ctx, func() bool {
		if i < len(p.order) {
			item = p.byID[p.order[i]]
		}
		return item != nil || p.ended
	})
	if err == nil && item == nil && p.truncated {
		err = &reply.Error{Sent: reply.Request{Operation: p.operation}, Err: ErrIncompleteList}
	}
	return item, err
}

// turn takes over the next page, and detects contradictions with earlier pages.
// It advances the offset by the number of different items, but by at most the
// size that was requested: the service may not count further items.
func (p *pager[T]) turn(next *api.Page[T]) {
	count := int64(len(next.IDs))
	before := len(p.order)
	inPage := map[string]bool{}
	for i, id := range next.IDs {
		switch {
		case id == "":
			p.truncated = true
		case inPage[id]: // variant: pages-repeating
		case p.seen[id]:
			p.inconsistent = true
		default:
			p.add(id, &next.Items[i])
		}
		inPage[id] = true
	}
	pagination := next.Pagination()
	more := count > 0 && count >= reply.ValueOf(pagination.Limit) // the service's limit may be lower
	if pagination.HasMore != nil {
		more = *pagination.HasMore
	}
	p.pages++
	p.offset += min(int64(len(inPage)), p.size) // variant: pages-too-long
	p.ended = !more || len(p.order) == before || p.pages >= maxPages
	endsEarly := more && p.ended
	returnsFewer := count < reply.ValueOf(pagination.Returned)
	p.truncated = p.truncated || !next.Whole || endsEarly || returnsFewer
	// A repeated element may hide a missing element.
	p.inconsistent = p.inconsistent || p.truncated || int64(len(inPage)) < min(count, p.size)
	p.last = next.Rest
}

// add appends an item. An item that is known already stays, because it is newer
// than the page.
func (p *pager[T]) add(id string, item *T) {
	p.seen[id] = true
	p.order = append(p.order, id)
	if p.byID[id] == nil {
		p.byID[id] = item
	}
}
