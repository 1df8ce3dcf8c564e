package api

import (
	"context"
	"errors"
	"iter"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// characterList is the list of characters that all resources of a run share. It
// is read page by page until the wanted character is found. The client's mutex
// guards it.
type characterList struct {
	// read has the pages that were read, by their offset.
	read *transport.Cache[int64, *CharacterPage]
	listing
	// order contains the ids in the service's order, and byID also what replies to a
	// PUT have said.
	order []string
	byID  map[string]Character
	// alone are the ids of the characters that were read by themselves.
	alone map[string]bool
	// outdated: something was changed after reading began.
	outdated bool
}

// take takes over the next page.
func (l *characterList) take(page *CharacterPage) {
	var ids []string
	for _, character := range page.Characters {
		ids = append(ids, character.ID)
	}
	for _, i := range l.turn(ids, pageSize, page.Pagination, page.whole) {
		l.add(page.Characters[i])
	}
}

// complete adds, to a list that ends, the characters that this client has made and
// that no page shows yet.
func (l *characterList) complete(made []Character) {
	for _, character := range made {
		if l.done && !l.seen[character.ID] {
			l.add(character)
		}
	}
}

// add appends a character. The reply to a PUT is newer than the page.
func (l *characterList) add(character Character) {
	l.seen[character.ID] = true
	l.order = append(l.order, character.ID)
	if _, known := l.byID[character.ID]; !known {
		l.byID[character.ID] = character
	}
}

// FindCharacter looks a character up in the client's shared list of GET
// /characters, or by itself where that may take fewer requests. If it is not
// found, complete says whether the list certainly lacks it; it is false if the
// pages contradict each other. After an error the next caller continues with the
// page that failed.
func (c *Client) FindCharacter(ctx context.Context, id string) (found *Character, complete bool, err error) {
	for list, alone, done := c.sharedList(), false, false; ; alone = true {
		err = list.readUntil(ctx, c, func() bool {
			if character, known := list.byID[id]; known {
				found = &character
			}
			complete, done = found != nil || list.done && !list.odd, list.done
			return found != nil || done || !alone && c.mayReadAlone(list, id)
		})
		if err == nil && found == nil && !done {
			err = c.readAlone(ctx, id)
		}
		if err != nil {
			return nil, false, err
		}
		if found != nil || done {
			return found, complete, nil
		}
	}
}

// readUntil reads pages until one shows what is wanted: shown looks, with the
// client's mutex held. Who waits for a page looks at it, and may have to wait for
// the next.
func (l *characterList) readUntil(ctx context.Context, c *Client, shown func() bool) error {
	for {
		c.mutex.Lock()
		enough, offset := shown(), l.offset
		c.mutex.Unlock()
		if enough && ctx.Err() == nil {
			return nil
		}
		page, err := l.read.Get(ctx, offset)
		if _, is := errors.AsType[*Error](err); err != nil && !is {
			err = &Error{Operation: "GET /characters", Err: err}
		}
		if err != nil {
			return err
		}
		c.mutex.Lock()
		if l.offset == offset && !l.done {
			l.take(page)
			l.complete(c.made)
			c.filters = page.Filters
		}
		c.mutex.Unlock()
	}
}

// Characters iterates over the shared list, and reads of it what is needed. It
// ends with ErrIncompleteList if the pages contradict each other.
func (c *Client) Characters(ctx context.Context) iter.Seq2[Character, error] {
	c.RefreshCharacters()
	return func(yield func(Character, error) bool) {
		for i, l := 0, c.sharedList(); ; i++ {
			var character *Character
			err := l.readUntil(ctx, c, func() bool {
				if i < len(l.order) {
					character = new(l.byID[l.order[i]])
				}
				return character != nil || l.done
			})
			if err == nil && character == nil && l.short {
				err = &Error{Operation: "GET /characters", Err: ErrIncompleteList}
			}
			if err != nil {
				yield(Character{}, err)
			}
			if err != nil || character == nil || !yield(*character, nil) {
				return
			}
		}
	}
}

// AllCharacters returns all Characters as one page: offset 0, and all returned.
func (c *Client) AllCharacters(ctx context.Context) (*CharacterPage, error) {
	all := &CharacterPage{}
	for character, err := range c.Characters(ctx) {
		if err != nil {
			return nil, err
		}
		all.Characters = append(all.Characters, character)
	}
	limit, offset, returned, more := int64(pageSize), int64(0), int64(len(all.Characters)), false
	all.Pagination = Pagination{Limit: &limit, Offset: &offset, Returned: &returned, HasMore: &more}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	all.Filters = c.filters
	return all, nil
}

// remember updates the shared list by the reply to a PUT.
func (c *Client) remember(character Character) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.list != nil {
		c.list.byID[character.ID] = character
	}
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

func (c *Client) sharedList() *characterList { return c.listAt(&c.list) }

// listAt returns a list that is shared, and makes it if it is not there.
func (c *Client) listAt(list **characterList) *characterList {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if *list == nil {
		read := func(ctx context.Context, offset int64) (*CharacterPage, error) {
			return c.CharactersPage(ctx, new(int64(pageSize)), &offset)
		}
		*list = &characterList{
			read: transport.NewCache(c.transport, read), listing: listing{seen: map[string]bool{}}, byID: map[string]Character{}, alone: map[string]bool{},
		}
	}
	return *list
}

// lackAgain reads a second list, for all that the first lacks, and fails unless that
// certainly lacks a character too.
func (c *Client) lackAgain(ctx context.Context, id string) error {
	list, lacks := c.listAt(&c.secondList), false
	err := list.readUntil(ctx, c, func() bool {
		lacks = list.done && !list.odd && !list.seen[id]
		return list.done || list.seen[id]
	})
	if err == nil && !lacks {
		err = &Error{Operation: "GET /characters", Err: ErrIncompleteList}
	}
	return err
}
