package api

import (
	"context"
	"net/url"
	"reflect"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// PageSize is how many items a request for a page asks for.
const PageSize = 100

// Pagination is the position of a slice.
type Pagination struct {
	Limit, Offset, Returned *int64
	HasMore                 *bool
}

// List is a list that the service shows page by page.
type List[T any] struct {
	Size      int64 // of a page, at most
	client    *Client
	request   func(query url.Values) *transport.Request
	name, id  string // of the list in a reply, and of an item's id
	hasErrors bool   // an error beside the list says that it is not whole
}

// Page is one page of a list, and what it says about the pages after it.
type Page[T any] struct {
	Items []T
	IDs   []string     // of the items; empty where an item has none
	Whole bool         // the list is neither missing nor unreadable in part
	Rest  reply.Object // of the reply
}

// Pagination is what the page says of its position.
func (p *Page[T]) Pagination() Pagination { return *decode[Pagination](p.Rest.Object("pagination")) }

// Operation returns the method and the path, as errors show them.
func (l List[T]) Operation() string { return l.request(url.Values{}).Operation() }

// Read reads at most limit items from offset on. Nil numbers are left to the
// service.
func (l List[T]) Read(ctx context.Context, limit, offset *int64) (*Page[T], error) {
	query := url.Values{}
	for name, number := range map[string]*int64{"limit": limit, "offset": offset} {
		if number != nil {
			query.Set(name, strconv.FormatInt(*number, 10))
		}
	}
	said, err := l.client.do(ctx, l.request(query))
	if err != nil {
		return nil, err
	}
	objects, whole := said.Objects(l.name)
	read := &Page[T]{
		Items: make([]T, len(objects)),
		Whole: whole && (!l.hasErrors || said.ErrorText("error") == nil),
		Rest:  said,
	}
	for i, object := range objects {
		fill(reflect.ValueOf(&read.Items[i]).Elem(), object)
		id := reply.ValueOf(object.Text(l.id))
		if !reply.IsID(id) {
			id = "" // as the item's
		}
		read.IDs = append(read.IDs, id)
	}
	delete(said, l.name) // shared pages are kept
	return read, nil
}
