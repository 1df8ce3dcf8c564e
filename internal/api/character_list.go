package api

import (
	"context"
	"errors"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	pageSize = 100
	// maxPages limits the pages read from a service that always returns more.
	maxPages = 10_000
)

// pager reads the pages of GET /characters and detects contradictions between
// them.
type pager struct {
	offset, pages int64
	seen          map[string]bool
	// surplus are the last characters of a page that the next one repeats.
	surplus []string
	done    bool
	// short: characters are certainly missing. odd: some may be, for instance
	// because one moved to another page meanwhile.
	short, odd bool
	// filters are those of the last page.
	filters Filters
}

func newPager() *pager { return &pager{seen: map[string]bool{}} }

// fetch reads the next page and returns the new characters. After an error it
// reads the same page again.
func (p *pager) fetch(ctx context.Context, c *Client) (fresh []Character, err error) {
	page, err := c.fullPage(ctx, p.offset)
	if err != nil {
		return nil, err
	}
	return p.turn(page), nil
}

func (c *Client) fullPage(ctx context.Context, offset int64) (*CharacterPage, error) {
	limit := int64(pageSize)
	return c.CharactersPage(ctx, &limit, &offset)
}

// turn records the next page and returns the new characters.
func (p *pager) turn(page *CharacterPage) (fresh []Character) {
	p.pages++
	p.filters = page.Filters
	fresh = p.take(page.Characters)
	more := page.more()
	stuck := more && len(fresh) == 0 && (len(page.Characters) > 0 || page.Pagination.HasMore != nil)
	if !page.whole || stuck || p.pages >= maxPages || int64(len(page.Characters)) < value(page.Pagination.Returned) {
		p.short = true
	}
	p.odd = p.odd || p.short
	p.done = !more || len(fresh) == 0 || p.pages >= maxPages
	return fresh
}

// take returns the new characters, and advances by as many different ones as
// were requested: the service may not count repeated or surplus ones.
func (p *pager) take(page []Character) (fresh []Character) {
	var ids []string
	for _, character := range page {
		id := character.ID
		switch {
		case id == "":
			p.short = true
		case slices.Contains(ids, id):
			continue
		case !p.seen[id]:
			p.seen[id] = true
			fresh = append(fresh, character)
		case !slices.Contains(p.surplus, id):
			p.odd = true
		}
		ids = append(ids, id)
	}
	next := min(len(ids), pageSize)
	// A repeated character may hide a missing one.
	p.odd = p.odd || len(ids) < len(page) && next < pageSize
	p.offset, p.surplus = p.offset+int64(next), ids[next:]
	return fresh
}

// more reports whether there may be another page: the service may return fewer
// characters than requested.
func (p *CharacterPage) more() bool {
	switch count := int64(len(p.Characters)); {
	case p.Pagination.HasMore != nil:
		return *p.Pagination.HasMore
	case count == 0:
		return false
	case p.Pagination.Limit != nil:
		return count >= *p.Pagination.Limit
	default:
		return true
	}
}

// characterList is the list that all resources of a plan or apply share. It is
// read page by page until the wanted character is found. All but reading is
// guarded by the client's mutex.
type characterList struct {
	reading *transport.Shared[struct{}]
	pages   *pager
	byID    map[string]Character
	// order contains the ids in the service's order.
	order []string
	// outdated: something was changed after reading began.
	outdated bool
}

// FindCharacter looks a character up in the client's shared list of GET
// /characters. If it is not found, complete says whether the list certainly
// lacks it; it is false if the pages contradict each other. After an error the
// next caller continues with the page that failed.
func (c *Client) FindCharacter(ctx context.Context, id string) (found *Character, complete bool, err error) {
	list := c.sharedList()
	err = list.readUntil(ctx, c, func() bool {
		_, known := list.byID[id]
		return known || list.pages.done
	})
	if err != nil {
		return nil, false, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if character, known := list.byID[id]; known {
		return &character, true, nil
	}
	return nil, !list.pages.odd, nil
}

// readUntil reads pages until one shows what is wanted. Who waits for a page
// looks at it, and may have to wait for the next.
func (l *characterList) readUntil(ctx context.Context, c *Client, shown func() bool) error {
	look := func() bool {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		return shown()
	}
	for ctx.Err() != nil || !look() {
		_, _, err := l.reading.Do(ctx, func(ctx context.Context) (none struct{}, err error) {
			if !look() {
				err = l.readPage(ctx, c)
			}
			return none, err
		})
		if _, is := errors.AsType[*Error](err); err != nil && !is {
			return &Error{Operation: "GET /characters", Err: err}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readPage reads the next page. The reply to a PUT is newer than the page.
func (l *characterList) readPage(ctx context.Context, c *Client) error {
	c.mutex.Lock()
	turned, offset := l.pages.pages, l.pages.offset
	c.mutex.Unlock()
	page, err := c.fullPage(ctx, offset)
	if err != nil {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if l.pages.pages != turned {
		return nil // everybody who waited had left, and others have read it since
	}
	for _, character := range l.pages.turn(page) {
		if _, known := l.byID[character.ID]; !known {
			l.byID[character.ID] = character
		}
		l.order = append(l.order, character.ID)
	}
	return nil
}

func (c *Client) cached(list *characterList, id string) (Character, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	character, ok := list.byID[id]
	return character, ok
}

// remember updates the shared list by the reply to a PUT.
func (c *Client) remember(character Character) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.list != nil {
		c.list.byID[character.ID] = character
	}
}

// reread looks up a character after a PUT whose reply lacks it. If the
// character is not listed, that reply is all that is known.
func (c *Client) reread(ctx context.Context, replied Character) (*Character, error) {
	c.RefreshCharacters()
	character, _, err := c.FindCharacter(ctx, replied.ID)
	if err == nil && character == nil {
		character = &replied
	}
	return character, err
}

// AllCharacters reads the rest of the shared list and returns all of it as one
// page: offset 0, and all characters returned. The error is ErrIncompleteList
// if the pages contradict each other.
func (c *Client) AllCharacters(ctx context.Context) (*CharacterPage, error) {
	list := c.sharedList()
	if err := list.readUntil(ctx, c, func() bool { return list.pages.done }); err != nil {
		return nil, err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if list.pages.short {
		return nil, &Error{Operation: "GET /characters", Err: ErrIncompleteList}
	}
	limit, offset, returned, more := int64(pageSize), int64(0), int64(len(list.order)), false
	all := &CharacterPage{
		Pagination: Pagination{Limit: &limit, Offset: &offset, Returned: &returned, HasMore: &more},
		Filters:    list.pages.filters, whole: true,
	}
	for _, id := range list.order {
		all.Characters = append(all.Characters, list.byID[id])
	}
	return all, nil
}

// RefreshCharacters makes the next FindCharacter read the list again if this
// client has changed something since reading began. Data sources call it first:
// they may be read after a resource's change.
func (c *Client) RefreshCharacters() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.list != nil && c.list.outdated {
		c.list = nil
	}
}

func (c *Client) sharedList() *characterList {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.list == nil {
		c.list = &characterList{reading: transport.NewShared[struct{}](c.clock), pages: newPager(), byID: map[string]Character{}}
	}
	return c.list
}
