// Package storetest is a store in memory for tests, with the faults of real
// stores.
package storetest

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// Address is an address for configurations of tests. Open opens the store at
// any address.
const Address = "s3://log/state"

// Call is a request to a store.
type Call string

// The calls of purchases.Store.
const (
	Create Call = "create"
	Read   Call = "read"
	Newest Call = "newest"
)

// Fault is what goes wrong with a call.
type Fault int

// The faults of a call.
const (
	None        Fault = iota
	LostRequest       // the request does not arrive
	LostReply         // the call is executed, and its reply is lost
	Conflict          // a 409 of S3: the call is not executed, and may be repeated
	Denied            // the caller lacks the right
	Down              // no server listens
	Hang              // no reply arrives
)

// errFault is the client's error after a failed call.
var errFault = errors.New("the store has failed")

// Store is a store in memory. All processes of a test share it.
type Store struct {
	mutex   sync.Mutex
	objects map[int64][]byte
	fault   func(Call) Fault
	lies    bool
	denies  bool
	calls   map[Call]int
	handles []*handle
}

// New returns a store that has no object.
func New() *Store { return &Store{objects: map[int64][]byte{}, calls: map[Call]int{}} }

// Open returns the store for a process, with the signature that
// purchases.Config requires.
func (s *Store) Open(context.Context, string) (purchases.Store, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	h := &handle{Store: s}
	s.handles = append(s.handles, h)
	return h, nil
}

// Kill ends all processes that have opened the store: none of them writes any
// more.
func (s *Store) Kill() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, h := range s.handles {
		h.isKilled = true
	}
}

// Fails sets the faults of all calls from now on; nil ends them.
func (s *Store) Fails(fault func(Call) Fault) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.fault = fault
}

// FailsAlways gives all calls, or the named ones, a fault from now on.
func (s *Store) FailsAlways(fault Fault, calls ...Call) {
	s.Fails(func(call Call) Fault {
		if len(calls) == 0 || slices.Contains(calls, call) {
			return fault
		}
		return None
	})
}

// FailsAtRandom gives a part of the calls temporary faults.
func (s *Store) FailsAtRandom(seed uint64, part float64) {
	random := rand.New(rand.NewPCG(seed, 0))
	s.Fails(func(Call) Fault {
		if random.Float64() < part {
			return LostRequest + Fault(random.IntN(3))
		}
		return None
	})
}

// Lies makes the store overwrite existing objects from now on.
func (s *Store) Lies() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.lies = true
}

// Denies makes the store deny writes to existing objects from now on, whatever
// the condition. Some clouds answer a caller with the right to add only in this
// way.
func (s *Store) Denies() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.denies = true
}

// Calls returns how often the calls were made.
func (s *Store) Calls(calls ...Call) (count int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, call := range calls {
		count += s.calls[call]
	}
	return count
}

// Objects returns a copy of the store's objects, by number.
func (s *Store) Objects() map[int64][]byte {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return maps.Clone(s.objects)
}

// Restore replaces the store's objects.
func (s *Store) Restore(objects map[int64][]byte) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.objects = map[int64][]byte{}
	maps.Copy(s.objects, objects)
}

// Put writes an object, whether or not one exists.
func (s *Store) Put(number int64, content []byte) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.objects[number] = content
}

// Text returns all lines of the store, without the parts in which objects
// repeat others.
func (s *Store) Text() string {
	objects := s.Objects()
	var all strings.Builder
	for number := int64(1); objects[number] != nil; number++ {
		all.Write(linesOf(objects[number]))
	}
	return all.String()
}

func linesOf(content []byte) []byte {
	packed, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return content
	}
	text, _ := io.ReadAll(packed) // packed by this provider
	_, lines, _ := bytes.Cut(text, []byte("\n"))
	return lines
}

// handle is the store for a single process.
type handle struct {
	*Store
	isKilled bool
}

// begin decides the fault of a call. If there is no error, it holds the store's
// mutex.
func (h *handle) begin(ctx context.Context, call Call) (Fault, error) {
	h.mutex.Lock()
	h.calls[call]++
	fault := None
	switch {
	case ctx.Err() != nil, h.isKilled:
		fault = Down
	case h.fault != nil:
		fault = h.fault(call)
	}
	switch fault {
	case None, LostReply:
		return fault, nil
	case Hang:
		h.mutex.Unlock()
		<-ctx.Done()
		return fault, ctx.Err()
	case Denied:
		h.mutex.Unlock()
		return fault, purchases.ErrDenied
	default:
		h.mutex.Unlock()
		return fault, errFault
	}
}

// Create implements purchases.Store.
func (h *handle) Create(ctx context.Context, number int64, content []byte) error {
	fault, err := h.begin(ctx, Create)
	if err != nil {
		return err
	}
	defer h.mutex.Unlock()
	switch {
	case h.objects[number] == nil || h.lies:
		h.objects[number] = content
	case h.denies:
		err = purchases.ErrDenied
	default:
		err = purchases.ErrExists
	}
	if fault == LostReply {
		return errFault
	}
	return err
}

// Read implements purchases.Store.
func (h *handle) Read(ctx context.Context, number int64) ([]byte, error) {
	fault, err := h.begin(ctx, Read)
	if err != nil {
		return nil, err
	}
	defer h.mutex.Unlock()
	switch {
	case fault == LostReply:
		return nil, errFault
	case h.objects[number] == nil:
		return nil, purchases.ErrNoObject
	default:
		return h.objects[number], nil
	}
}

// Newest implements purchases.Store.
func (h *handle) Newest(ctx context.Context) (newest int64, err error) {
	fault, err := h.begin(ctx, Newest)
	if err != nil {
		return 0, err
	}
	defer h.mutex.Unlock()
	for number := range h.objects {
		newest = max(newest, number)
	}
	if fault == LostReply {
		return 0, errFault
	}
	return newest, nil
}
