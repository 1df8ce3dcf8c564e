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
	alone   map[string]bool // the characters that were read by themselves
	changed bool            // something was changed after reading began
}

// Find looks a character up in the shared list, read page by page
// until it is found, or by itself where that may take fewer requests. If it is
// not found, complete says whether the list certainly lacks it: not if the
// pages contradict each other. After an error the next caller continues with
// the page that failed.
func (s *CharacterService) Find(ctx context.Context, id string) (found *Character, complete bool, err error) {
	list := s.client.Characters.sharedList()
	done := false
	for alone := false; ; alone = true {
		err = list.until(ctx, func() bool {
			found = list.byID[id]
			complete = found != nil || list.ended && !list.inconsistent
			done = list.ended
			return found != nil || done || !alone && s.client.Characters.mayReadAlone(list, id)
		})
		isSettled := found != nil || done
		if err == nil && !isSettled {
			err = s.client.Characters.readAlone(ctx, id)
		}
		switch {
		case err != nil:
			return nil, false, err
		case isSettled:
			return found, complete, nil
		}
	}
}

// Each iterates over the shared list, and reads of it what is needed. It
// ends with ErrIncompleteList if the pages contradict each other.
func (s *CharacterService) Each(ctx context.Context) iter.Seq2[Character, error] {
	s.client.Characters.Refresh()
	return s.client.Characters.sharedList().all(ctx)
}

// All returns all Characters as one page: offset 0, and all returned.
func (s *CharacterService) All(ctx context.Context) (*CharacterPage, error) {
	s.client.Characters.Refresh()
	list := s.client.Characters.sharedList()
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

// updateList updates the shared list by the reply to a PUT.
func (s *CharacterService) updateList(character Character) {
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	if s.client.list != nil {
		s.client.list.byID[character.ID] = &character
	}
}

// Refresh makes the next Characters.Find read the list again if this
// client has changed something since reading began. Data sources call it first:
// they may be read after such a change.
func (s *CharacterService) Refresh() {
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	if s.client.list != nil && s.client.list.changed {
		s.client.list = nil
	}
}

func (s *CharacterService) sharedList() *characterList {
	return s.client.Characters.listAt(&s.client.list)
}

func (s *CharacterService) listAt(list **characterList) *characterList {
	s.client.mutex.Lock()
	defer s.client.mutex.Unlock()
	if *list == nil {
		*list = s.client.Characters.newList()
	}
	return *list
}

func (s *CharacterService) newList() *characterList {
	shared := &characterList{pager: newPager[Character](s.client, allCharacters), alone: map[string]bool{}}
	shared.mutex = &s.client.mutex
	shared.complete = func() { s.client.Characters.addMade(shared) }
	pages := transport.NewCache(s.client.transport, func(ctx context.Context, offset int64) (*page[Character], error) {
		return s.client.Characters.read(ctx, &shared.size, &offset)
	})
	shared.read = func(ctx context.Context, offset int64) (*page[Character], error) {
		read, err := pages.Get(ctx, offset)
		if _, is := errors.AsType[*reply.Error](err); err != nil && !is {
			err = &reply.Error{Sent: reply.Request{Operation: "GET /characters"}, Err: err}
		}
		return read, err
	}
	return shared
}

// addMade adds to a whole list what this process has created and the list does
// not show yet.
func (s *CharacterService) addMade(list *characterList) {
	if !list.ended {
		return
	}
	for _, made := range s.client.made {
		if !list.seen[made.ID] {
			list.add(made.ID, &made)
		}
	}
}

// checkSecondList reads a second list, one for all that the first lacks, and
// fails unless that lacks it.
func (s *CharacterService) checkSecondList(ctx context.Context, id string) error {
	list := s.client.Characters.listAt(&s.client.secondList)
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
