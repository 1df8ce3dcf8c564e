package evidence

import (
	"context"
	"errors"
	"iter"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// characterList is the list of GET /characters that a run shares. The client's
// mutex guards it.
type characterList struct {
	*pager[api.Character]
	alone   map[string]bool // the characters that were read alone
	changed bool            // something was changed after reading began
}

// Find looks up a character in the shared list. It reads page by page until the
// character is found, or reads the character alone where fewer requests may be
// enough. If found is nil, complete says whether the list certainly lacks the
// character; it is false if the pages contradict each other. After an error,
// the next caller continues with the page that failed.
func (s *Characters) Find(ctx context.Context, id string) (found *api.Character, complete bool, err error) {
	list := s.sharedList()
	done := false
	for alone := false; ; alone = true {
		err = list.until(ctx, func() bool {
			found = list.byID[id]
			complete = found != nil || list.ended && !list.inconsistent
			done = list.ended
			return found != nil || done || !alone && s.mayReadAlone(list, id)
		})
		isSettled := found != nil || done
		if err == nil && !isSettled {
			err = s.readAlone(ctx, id)
		}
		switch {
		case err != nil:
			return nil, false, err
		case isSettled:
			return found, complete, nil
		}
	}
}

// Each iterates over the shared list, and reads pages only when they are
// needed. It ends with ErrIncompleteList if the pages contradict each other.
func (s *Characters) Each(ctx context.Context) iter.Seq2[api.Character, error] {
	s.Refresh()
	return s.sharedList().all(ctx)
}

// All returns all characters as one page with offset 0.
func (s *Characters) All(ctx context.Context) (*api.CharacterPage, error) {
	s.Refresh()
	list := s.sharedList()
	characters := []api.Character(nil)
	for character, err := range list.all(ctx) {
		if err != nil {
			return nil, err
		}
		characters = append(characters, character)
	}
	all := api.CharacterPageFrom(list.last)
	all.Characters = characters
	all.Pagination = api.Pagination{
		Limit:    new(int64(api.PageSize)),
		Offset:   new(int64),
		Returned: new(int64(len(characters))),
		HasMore:  new(false),
	}
	return all, nil
}

// updateList replaces a character in the shared list by the reply to a PUT.
func (s *Characters) updateList(character api.Character) {
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	if s.client.list != nil {
		s.client.list.byID[character.ID] = &character
	}
}

// Refresh makes the next Characters.Find read the list again if this client has
// changed something since the reading began. Data sources call Refresh first,
// because they may be read after a change.
func (s *Characters) Refresh() {
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	if s.client.list != nil && s.client.list.changed {
		s.client.list = nil
	}
}

func (s *Characters) sharedList() *characterList {
	return s.listAt(&s.client.list)
}

func (s *Characters) listAt(list **characterList) *characterList {
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	if *list == nil {
		*list = s.newList()
	}
	return *list
}

func (s *Characters) newList() *characterList {
	shared := &characterList{pager: newPager(s.List()), alone: map[string]bool{}}
	shared.mutex = &s.client.mutex
	shared.complete = func() { s.addMade(shared) }
	pages := transport.NewCache(
		s.client.transport,
		func(ctx context.Context, offset int64) (*api.Page[api.Character], error) {
			return s.read(ctx, &shared.size, &offset)
		},
	)
	shared.read = func(ctx context.Context, offset int64) (*api.Page[api.Character], error) {
		read, err := pages.Get(ctx, offset)
		if _, is := errors.AsType[*reply.Error](err); err != nil && !is {
			err = &reply.Error{Sent: reply.Request{Operation: "GET /characters"}, Err: err}
		}
		return read, err
	}
	return shared
}

// addMade adds the characters that this process has created to a complete list
// that does not show them yet.
func (s *Characters) addMade(list *characterList) {
	if !list.ended {
		return
	}
	for _, made := range s.client.made {
		if !list.seen[made.ID] {
			list.add(made.ID, &made)
		}
	}
}

// checkSecondList reads a second list and fails unless this list lacks the
// character too. All characters that the first list lacks share the second
// list.
func (s *Characters) checkSecondList(ctx context.Context, id string) error {
	list := s.listAt(&s.client.secondList)
	lacks := false
	err := list.until(ctx, func() bool {
		lacks = list.ended && !list.inconsistent && !list.seen[id]
		return list.ended || list.seen[id]
	})
	if err == nil && !lacks {
		err = &reply.Error{Sent: reply.Request{Operation: "GET /characters"}, Err: ErrIncompleteList}
	}
	return err
}
