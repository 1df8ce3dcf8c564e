package core

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// stored is an object in a state file. Between two walks, nothing else remains
// of the object.
type stored struct {
	attributes json.RawMessage
	version    int64
	identity   json.RawMessage
	private    []byte
	tainted    bool
}

// same reports whether two objects have the same attributes.
func (s *stored) same(other *stored) bool {
	return other != nil && bytes.Equal(s.attributes, other.attributes)
}

// state is the state file: for each address the current object, and the objects
// that a failed replacement left over.
type state struct {
	mutex   sync.Mutex
	current map[string]*stored
	deposed map[string][]*stored
}

func newState() *state { return &state{current: map[string]*stored{}, deposed: map[string][]*stored{}} }

func (s *state) clone() *state {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return &state{current: maps.Clone(s.current), deposed: maps.Clone(s.deposed)}
}

func (s *state) get(address string) *stored {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.current[address]
}

// set makes an object the current one, or removes it if it is absent.
func (s *state) set(address string, known *kind, now *object) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if now.absent() {
		delete(s.current, address)
		return
	}
	s.current[address] = store(known, now)
}

func store(known *kind, now *object) *stored {
	file := &stored{
		attributes: encodeJSON(now.value),
		version:    known.version,
		private:    now.private,
		tainted:    now.tainted,
	}
	if !now.identity.IsNull() {
		file.identity = encodeJSON(now.identity)
	}
	return file
}

// depose makes the current object a deposed one.
func (s *state) depose(address string) *stored {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	old := s.current[address]
	delete(s.current, address)
	if old != nil {
		s.deposed[address] = append(slices.Clone(s.deposed[address]), old)
	}
	return old
}

// restore makes a deposed object the current one again, if there is none.
func (s *state) restore(address string, old *stored) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if old != nil && s.current[address] == nil {
		s.current[address] = old
		s.drop(address, old)
	}
}

// replaceDeposed replaces a deposed object, or removes it if it is absent.
func (s *state) replaceDeposed(address string, known *kind, old *stored, now *object) *stored {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.drop(address, old)
	if now.absent() {
		return nil
	}
	file := store(known, now)
	s.deposed[address] = append(s.deposed[address], file)
	return file
}

func (s *state) drop(address string, old *stored) {
	rest := slices.DeleteFunc(slices.Clone(s.deposed[address]), func(other *stored) bool { return other == old })
	if len(rest) == 0 {
		delete(s.deposed, address)
		return
	}
	s.deposed[address] = rest
}

func (s *state) deposedAt(address string) []*stored {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.deposed[address])
}

// addresses returns all addresses with an object, sorted.
func (s *state) addresses() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all := slices.AppendSeq([]string{}, maps.Keys(s.current))
	all = slices.AppendSeq(all, maps.Keys(s.deposed))
	slices.Sort(all)
	return slices.Compact(all)
}
