package engines

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Kinds of requests by which they are counted. Any other request counts by its
// method.
const (
	Put  = "PUT"
	Post = "POST" // Google's way to write an object
	Get  = "GET"
	List = "LIST"
)

// Faults is the proxy before a server. It decides the fate of requests, and
// counts them.
type Faults struct {
	dialect dialect
	next    http.Handler

	mutex     sync.Mutex
	counts    map[string]int
	nextWrite fault // of a single write
	writes    fault
	reads     fault
	all       fault
	healed    chan struct{} // closed by Heal
}

// fault answers a request, with or without the server's help.
type fault func(w http.ResponseWriter, r *http.Request, server http.Handler)

func newFaults(dialect dialect) *Faults {
	return &Faults{
		dialect: dialect,
		counts:  map[string]int{},
		healed:  make(chan struct{}),
	}
}

// LoseNextWrite lets the server execute the next write, and breaks the
// connection before its reply.
func (f *Faults) LoseNextWrite() { f.set(&f.nextWrite, lose) }

// RefuseNextWrite answers the next write with a status, without executing it.
func (f *Faults) RefuseNextWrite(status int) { f.set(&f.nextWrite, f.dialect.refusal(status)) }

// ForbidWrites answers 403 to each write.
func (f *Faults) ForbidWrites() { f.set(&f.writes, f.dialect.refusal(http.StatusForbidden)) }

// ForbidReads answers 403 to each request for an object.
func (f *Faults) ForbidReads() { f.set(&f.reads, f.dialect.refusal(http.StatusForbidden)) }

// Forbid answers 403 to each request.
func (f *Faults) Forbid() { f.set(&f.all, f.dialect.refusal(http.StatusForbidden)) }

// Refuse answers each request with a status.
func (f *Faults) Refuse(status int) { f.set(&f.all, f.dialect.refusal(status)) }

// GoDown breaks each connection.
func (f *Faults) GoDown() { f.set(&f.all, breakOff) }

// Hang answers no request before Heal.
func (f *Faults) Hang() { f.set(&f.all, f.hold) }

// Heal ends all faults. Hanging requests are broken off.
func (f *Faults) Heal() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.nextWrite = nil
	f.writes = nil
	f.reads = nil
	f.all = nil
	close(f.healed)
	f.healed = make(chan struct{})
}

// Counts returns the numbers of requests since Reset, by their kind.
func (f *Faults) Counts() map[string]int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return maps.Clone(f.counts)
}

// Reset sets all counts to zero.
func (f *Faults) Reset() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	clear(f.counts)
}

// ServeHTTP implements http.Handler.
func (f *Faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind := r.Method
	if kind == Get && f.dialect.isList(r) {
		kind = List
	}
	if answer := f.note(kind); answer != nil {
		answer(w, r, f.next)
		return
	}
	f.next.ServeHTTP(w, r)
}

// note counts a request. It returns the request's fault; nil if it is served.
func (f *Faults) note(kind string) fault {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.counts[kind]++
	isWrite := kind == Put || kind == Post
	switch next := f.nextWrite; {
	case f.all != nil:
		return f.all
	case kind == Get && f.reads != nil:
		return f.reads
	case isWrite && f.writes != nil:
		return f.writes
	case isWrite && next != nil:
		f.nextWrite = nil
		return next
	}
	return nil
}

func (f *Faults) set(place *fault, answer fault) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	*place = answer
}

func lose(_ http.ResponseWriter, r *http.Request, server http.Handler) {
	server.ServeHTTP(httptest.NewRecorder(), r)
	panic(http.ErrAbortHandler)
}

func breakOff(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) }

// hold reads the request first: a server hears that the client has gone only
// once there is nothing more to read.
func (f *Faults) hold(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
	f.mutex.Lock()
	healed := f.healed
	f.mutex.Unlock()
	_, _ = io.Copy(io.Discard, r.Body)
	select {
	case <-healed:
	case <-r.Context().Done():
	}
	panic(http.ErrAbortHandler)
}

func (d dialect) refusal(status int) fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		_, _ = io.Copy(io.Discard, r.Body)
		d.refuse(w, status)
	}
}
