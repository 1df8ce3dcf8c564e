package api

import (
	"context"
	"errors"
	"iter"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// characterList is the list of GET /characters that a run shares, guarded by
// the client's mutex.
type characterList struct {
	*pager[Character]
	alone    map[string]bool // the characters that were read by themselves
	outdated bool            // something was changed after reading began
}

// FindCharacter looks a character up in the shared list, read page by page
// until it is found, or by itself where that may take fewer requests. If it is
// not found, complete says whether the list certainly lacks it: not if the
// pages contradict each other. After an error the next caller continues with
// the page that failed.
func (c *Client) FindCharacter(ctx context.Context, id string) (found *Character, complete bool, err error) {
	list := c.sharedList()
	done := false
	for alone := false; ; alone = true {
		err = list.until(ctx, func() bool {
			found = list.byID[id]
			complete = found != nil || list.done && !list.contradicting
			done = list.done
			return found != nil || done || !alone && c.mayReadAlone(list, id)
		})
		isSettled := found != nil || done
		if err == nil && !isSettled {
			err = c.readAlone(ctx, id)
		}
		switch {
		case err != nil:
			return nil, false, err
		case isSettled:
			return found, complete, nil
		}
	}
}

// Characters iterates over the shared list, and reads of it what is needed. It
// ends with ErrIncompleteList if the pages contradict each other.
func (c *Client) Characters(ctx context.Context) iter.Seq2[Character, error] {
	c.RefreshCharacters()
	return c.sharedList().all(ctx)
}

// AllCharacters returns all Characters as one page: offset 0, and all returned.
func (c *Client) AllCharacters(ctx context.Context) (*CharacterPage, error) {
	c.RefreshCharacters()
	list := c.sharedList()
	characters := []Character(nil)
	for character, err := range list.all(ctx) {
		if err != nil {
			return nil, err
		}
		characters = append(characters, character)
	}
	all := decode[CharacterPage](list.last)
	all.Characters = characters
	all.Pagination = Pagination{
		Limit:    new(int64(pageSize)),
		Offset:   new(int64),
		Returned: new(int64(len(characters))),
		HasMore:  new(false),
	}
	return all, nil
}

// remember updates the shared list by the reply to a PUT.
func (c *Client) remember(character Character) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.list != nil {
		c.list.byID[character.ID] = &character
	}
}

// RefreshCharacters makes the next FindCharacter read the list again if this
// client has changed something since reading began. Data sources call it first:
// they may be read after such a change.
func (c *Client) RefreshCharacters() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.list != nil && c.list.outdated {
		c.list = nil
	}
}

func (c *Client) sharedList() *characterList { return c.listAt(&c.list) }

func (c *Client) listAt(list **characterList) *characterList {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if *list == nil {
		*list = c.newCharacterList()
	}
	return *list
}

func (c *Client) newCharacterList() *characterList {
	shared := &characterList{pager: newPager[Character](c, allCharacters), alone: map[string]bool{}}
	shared.mutex = &c.mutex
	shared.complete = func() { c.addMade(shared) }
	pages := transport.NewCache(c.transport, func(ctx context.Context, offset int64) (*page[Character], error) {
		return c.readCharacters(ctx, &shared.size, &offset)
	})
	shared.read = func(ctx context.Context, offset int64) (*page[Character], error) {
		read, err := pages.Get(ctx, offset)
		if _, is := errors.AsType[*reply.Error](err); err != nil && !is {
			err = &reply.Error{Operation: "GET /characters", Err: err}
		}
		return read, err
	}
	return shared
}

// addMade adds to a whole list what this process has created and the list does
// not show yet.
func (c *Client) addMade(list *characterList) {
	if !list.done {
		return
	}
	for _, made := range c.made {
		if !list.seen[made.ID] {
			list.add(made.ID, &made)
		}
	}
}

// lackAgain reads a second list, one for all that the first lacks, and fails
// unless that lacks it.
func (c *Client) lackAgain(ctx context.Context, id string) error {
	list := c.listAt(&c.secondList)
	lacks := false
	err := list.until(ctx, func() bool {
		lacks = list.done && !list.contradicting && !list.seen[id]
		return list.done || list.seen[id]
	})
	if err == nil && !lacks {
		err = &reply.Error{Operation: "GET /characters", Err: ErrIncompleteList}
	}
	return err
}
