package api

import (
	"context"
	"net/url"
	"reflect"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// PageSize is the number of items that a request for a page asks for.
const PageSize = 100

// Pagination is the position of a page in its list.
type Pagination struct {
	Limit, Offset, Returned *int64
	HasMore                 *bool
}

// List is a list that the service shows page by page.
type List[T any] struct {
	Size      int64 // the greatest size of a page
	client    *Client
	request   func(query url.Values) *transport.Request
	name, id  string // the fields of the list, and of an item's id
	hasErrors bool   // an error beside the list means that it is incomplete
}

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	IDs   []string     // of the items; empty if an item has no id
	Whole bool         // the list is present, and each item is readable
	Rest  reply.Object // of the reply: all other fields
}

// Pagination returns the position of the page.
func (p *Page[T]) Pagination() Pagination { return *decode[Pagination](p.Rest.Object("pagination")) }

// Operation returns the method and the path in the form that errors show.
func (l List[T]) Operation() string { return l.request(url.Values{}).Operation() }

// Read reads at most limit items from offset on. The service decides about nil
// numbers.
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
			id = "" // the item's id is empty too
		}
		read.IDs = append(read.IDs, id)
	}
	delete(said, l.name) // pages are cached: do not keep the list twice
	return read, nil
}
