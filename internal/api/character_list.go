package api

import (
	"context"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
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
	limit, offset := int64(pageSize), p.offset
	page, err := c.CharactersPage(ctx, &limit, &offset)
	if err != nil {
		return nil, err
	}
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
	return fresh, nil
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
// read page by page until the wanted character is found.
type characterList struct {
	mutex wait.ContextMutex
	pages *pager
	// byID is guarded by the client's mutex, for remember.
	byID map[string]Character
	// order contains the ids in the service's order.
	order []string
	// outdated: something was changed after reading began. It is guarded by the
	// client's mutex.
	outdated bool
}

// FindCharacter looks a character up in the client's shared list of GET
// /characters. If it is not found, complete says whether the list certainly
// lacks it; it is false if the pages contradict each other. After an error the
// next caller continues with the page that failed.
func (c *Client) FindCharacter(ctx context.Context, id string) (found *Character, complete bool, err error) {
	list := c.sharedList()
	if err := list.mutex.Lock(ctx); err != nil {
		return nil, false, &Error{Operation: "GET /characters", Err: err}
	}
	defer list.mutex.Unlock()
	for {
		if character, ok := c.cached(list, id); ok {
			return &character, true, nil
		}
		if list.pages.done {
			return nil, !list.pages.odd, nil
		}
		if err := list.step(ctx, c); err != nil {
			return nil, false, err
		}
	}
}

// step reads the next page. The reply to a PUT is newer than the page.
func (w *characterList) step(ctx context.Context, c *Client) error {
	fresh, err := w.pages.fetch(ctx, c)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, character := range fresh {
		if _, known := w.byID[character.ID]; !known {
			w.byID[character.ID] = character
		}
		w.order = append(w.order, character.ID)
	}
	return err
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
	if err := list.mutex.Lock(ctx); err != nil {
		return nil, &Error{Operation: "GET /characters", Err: err}
	}
	defer list.mutex.Unlock()
	for !list.pages.done {
		if err := list.step(ctx, c); err != nil {
			return nil, err
		}
	}
	if list.pages.short {
		return nil, &Error{Operation: "GET /characters", Err: ErrIncompleteList}
	}
	limit, offset, returned, more := int64(pageSize), int64(0), int64(len(list.order)), false
	all := &CharacterPage{
		Pagination: Pagination{Limit: &limit, Offset: &offset, Returned: &returned, HasMore: &more},
		Filters:    list.pages.filters, whole: true,
	}
	for _, id := range list.order {
		character, _ := c.cached(list, id)
		all.Characters = append(all.Characters, character)
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
		c.list = &characterList{pages: newPager(), byID: map[string]Character{}}
	}
	return c.list
}
