package api

import (
	"context"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	pageSize = 100
	// maxPages ends a walk of a service that never stops finding more.
	maxPages = 10_000
)

// pager walks the pages of GET /characters and notices when they do not add
// up.
type pager struct {
	offset, pages int64
	seen          map[string]bool
	// surplus are the last characters of a page that the next one has again.
	surplus []string
	done    bool
	// short: characters are missing for sure. odd: they may be, as when an item
	// moved from one page to another during the walk.
	short, odd bool
	// filters are those of the last page.
	filters Filters
}

func newPager() *pager { return &pager{seen: map[string]bool{}} }

// fetch reads the next page and returns the characters not seen before. After
// an error the same page is next.
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

// take returns the characters not seen before, and moves on by as many
// different ones as were asked for: what is repeated or too many on a page need
// not count at the service.
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
	// A repeated one may stand in the place of another.
	p.odd = p.odd || len(ids) < len(page) && next < pageSize
	p.offset, p.surplus = p.offset+int64(next), ids[next:]
	return fresh
}

// more asks for another page unless it is certain that there is none: the
// service may give fewer than it was asked for.
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

// characterWalk is the walk that all resources of a plan or apply share. Pages
// are fetched only until the wanted character is found.
type characterWalk struct {
	mutex wait.ContextMutex
	pages *pager
	// records are guarded by the client's mutex, for remember.
	records map[string]Character
	// order is that of the list.
	order []string
	// begun is the client's count of mutations when the walk began.
	begun int64
}

// FindCharacter looks a character up in the client's shared walk of GET
// /characters. If it is not found, complete tells whether that means that the
// list does not have it; it is false when the walk was odd. After an error the
// next caller goes on with the page that failed.
func (c *Client) FindCharacter(ctx context.Context, id string) (found *Character, complete bool, err error) {
	walk := c.sharedWalk()
	if err := walk.mutex.Lock(ctx); err != nil {
		return nil, false, &Error{Operation: "GET /characters", Err: err}
	}
	defer walk.mutex.Unlock()
	for {
		if character, ok := c.record(walk, id); ok {
			return &character, true, nil
		}
		if walk.pages.done {
			return nil, !walk.pages.odd, nil
		}
		if err := walk.step(ctx, c); err != nil {
			return nil, false, err
		}
	}
}

// step fetches the next page. A record that a PUT's reply gave meanwhile is
// newer than the page's.
func (w *characterWalk) step(ctx context.Context, c *Client) error {
	fresh, err := w.pages.fetch(ctx, c)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, character := range fresh {
		if _, known := w.records[character.ID]; !known {
			w.records[character.ID] = character
		}
		w.order = append(w.order, character.ID)
	}
	return err
}

func (c *Client) record(walk *characterWalk, id string) (Character, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	character, ok := walk.records[id]
	return character, ok
}

// remember replaces a record of the shared walk by a PUT's reply.
func (c *Client) remember(character Character) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.walk != nil {
		c.walk.records[character.ID] = character
	}
}

// reread finds the record after a PUT whose reply was no record. What it did
// say is all that is known of a character that is not listed.
func (c *Client) reread(ctx context.Context, replied Character) (*Character, error) {
	c.RefreshCharacters()
	character, _, err := c.FindCharacter(ctx, replied.ID)
	if err == nil && character == nil {
		character = &replied
	}
	return character, err
}

// AllCharacters ends the client's shared walk of GET /characters and returns
// all of them as one page: offset 0, and as many returned as there are. The
// error is ErrIncompleteList if the pages do not add up.
func (c *Client) AllCharacters(ctx context.Context) (*CharacterPage, error) {
	walk := c.sharedWalk()
	if err := walk.mutex.Lock(ctx); err != nil {
		return nil, &Error{Operation: "GET /characters", Err: err}
	}
	defer walk.mutex.Unlock()
	for !walk.pages.done {
		if err := walk.step(ctx, c); err != nil {
			return nil, err
		}
	}
	if walk.pages.short {
		return nil, &Error{Operation: "GET /characters", Err: ErrIncompleteList}
	}
	limit, offset, returned, more := int64(pageSize), int64(0), int64(len(walk.order)), false
	all := &CharacterPage{
		Pagination: Pagination{Limit: &limit, Offset: &offset, Returned: &returned, HasMore: &more},
		Filters:    walk.pages.filters, whole: true,
	}
	for _, id := range walk.order {
		character, _ := c.record(walk, id)
		all.Characters = append(all.Characters, character)
	}
	return all, nil
}

// RefreshCharacters makes the next FindCharacter walk again if something was
// changed through this client since the shared walk began. Data sources call
// it first: they may be read after a resource's change.
func (c *Client) RefreshCharacters() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.walk != nil && c.walk.begun != c.mutations.Load() {
		c.walk = nil
	}
}

func (c *Client) sharedWalk() *characterWalk {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.walk == nil {
		c.walk = &characterWalk{pages: newPager(), records: map[string]Character{}, begun: c.mutations.Load()}
	}
	return c.walk
}
