package purchases

import "context"

// Find returns the purchases of other runs that equal what an object wants, for
// its plan. The object is called by its name in private state, and one that has
// none yet, as before a create, by any that no other has.
func (l *Log) Find(want *Entry, object string) (found Found) {
	l.look(func() { found = l.index.ask(l.question(want, object)) })
	return found
}

// Unclaimed returns what equals an order of what an object has already, and no
// state ever had: what is to be told, and what is told once a later plan finds
// it, too, if that is noted (Want). The order is nil if it cannot be told.
func (l *Log) Unclaimed(order func() *Entry, object string) (told, untold []Bought) {
	l.recall(func() {
		if l.index.unstored == 0 {
			return
		}
		want := order()
		if want != nil {
			told, untold = l.index.unclaimed(l.question(want, object))
		}
	})
	return told, untold
}

// OfferedElsewhere returns what an object has and a plan of this run, before it
// knew that, has offered to another object.
func (l *Log) OfferedElsewhere(object string) (offered []Bought) {
	l.recall(func() { offered = l.index.offeredElsewhere(object) })
	return offered
}

// RefusedElsewhere returns what an object has and an apply of this run has
// refused to buy for another object.
func (l *Log) RefusedElsewhere(object string) (refused []Bought) {
	l.recall(func() { refused = l.index.refusedElsewhere(object) })
	return refused
}

// Refuse returns what an apply does not buy, of an operation that Collect has
// prepared.
func (l *Log) Refuse(ctx context.Context, want *Entry) []Bought {
	if l.guard == nil {
		return nil
	}
	found, _ := l.refuse(want, objectOf(ctx)) // Check says why not
	return found
}

// refuse reads what others have written meanwhile.
func (l *Log) refuse(want *Entry, object string) ([]Bought, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.readMore(); err != nil {
		return nil, err
	}
	return l.index.refuse(l.question(want, object)), nil
}

func (l *Log) question(want *Entry, object string) question {
	return question{
		want:   want,
		object: object,
		run:    l.run,
		caller: l.buyer.Now(),
	}
}

// look asks the index, once it has what others have written meanwhile.
func (l *Log) look(ask func()) {
	if l.guard == nil {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_ = l.readMore() // Check says why not
	ask()
}

// recall is look without what others have written since this process has first
// read the log: 10,000 objects ask it several times each.
func (l *Log) recall(ask func()) {
	l.mutex.Lock()
	isRead := l.reader.info != nil
	l.mutex.Unlock()
	if !isRead {
		l.look(ask)
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	ask()
}

func (l *Log) readMore() error {
	restart := func() { l.index = newIndex(l.run) }
	return l.reader.read(l.guard.path, restart, l.index.take)
}

// HasReleased reports whether an object was destroyed, as far as the log tells.
func (l *Log) HasReleased(object string) (released bool) {
	l.recall(func() { released = l.index.released[object] })
	return released
}

// Living returns those of the requests of which something lives.
func (l *Log) Living(requests []string) (living []string) {
	if l.guard == nil {
		return nil
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.readMore() != nil || l.reader.failure(l.guard.path) != nil {
		return requests
	}
	for _, request := range requests {
		if l.index.byRequest[request] != nil {
			living = append(living, request)
		}
	}
	return living
}

// Anew begins another run of the process, which was given no state yet.
func (l *Log) Anew() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.index.anew()
}
