package purchases

import "context"

// Find returns the purchases of other runs that equal an object's order, for
// its plan. object is its name in private state; an object without a name,
// before its create, passes any unique name.
func (l *Log) Find(want *Entry, object string) (found Found) {
	l.look(func() { found = l.index().ask(l.question(want, object)) })
	return found
}

// Unclaimed returns purchases that equal an order of existing objects and that
// no state ever had. The user is told of the first list; the second is only
// told once a later plan finds the purchases too, if they are noted (Want).
// order returns nil if the order is not known.
func (l *Log) Unclaimed(order func() *Entry, object string) (told, untold []Bought) {
	l.recall(func() {
		if l.index().unstored == 0 {
			return
		}
		want := order()
		if want != nil {
			told, untold = l.index().unclaimed(l.question(want, object))
		}
	})
	return told, untold
}

// OfferedElsewhere returns the purchases that an object has although a plan of
// this run has already offered them to another object.
func (l *Log) OfferedElsewhere(object string) (offered []Bought) {
	l.recall(func() { offered = l.index().offeredElsewhere(object) })
	return offered
}

// RefusedElsewhere returns the purchases that an object has and that an apply
// of this run has refused to buy for another object.
func (l *Log) RefusedElsewhere(object string) (refused []Bought) {
	l.recall(func() { refused = l.index().refusedElsewhere(object) })
	return refused
}

// Refuse returns the purchases that stop an apply, in an operation that Collect
// has prepared.
func (l *Log) Refuse(ctx context.Context, want *Entry) []Bought {
	if l.guard == nil || l.guard.refresh() != nil { // Check returns the error
		return nil
	}
	return l.refuse(want, objectOf(ctx))
}

// refuse decides by the part of the log that was read so far.
func (l *Log) refuse(want *Entry, object string) []Bought {
	said := l.guard.said()
	said.mutex.Lock()
	defer said.mutex.Unlock()
	return said.index.refuse(l.question(want, object))
}

func (l *Log) question(want *Entry, object string) question {
	return question{
		want:   want,
		object: object,
		run:    l.run,
		caller: l.caller(),
	}
}

// index returns the index of the guarding book. The caller holds its mutex.
func (l *Log) index() *index { return &l.guard.said().index }

// look asks the index after reading what others have written meanwhile.
func (l *Log) look(ask func()) {
	if l.guard == nil {
		return
	}
	_ = l.guard.refresh() // Check returns the error
	l.asked(ask)
}

// recall is look, but does not read again what other processes have written since
// this process first read the log: 10,000 objects ask several times each.
func (l *Log) recall(ask func()) {
	if l.guard == nil {
		return
	}
	_ = l.guard.recall() // Check returns the error
	l.asked(ask)
}

func (l *Log) asked(ask func()) {
	said := l.guard.said()
	said.mutex.Lock()
	defer said.mutex.Unlock()
	ask()
}

// HasReleased reports whether an object was destroyed, according to the log.
func (l *Log) HasReleased(object string) (released bool) {
	l.recall(func() { released = l.index().released[object] })
	return released
}

// Living returns the requests that have a living item.
func (l *Log) Living(requests []string) (living []string) {
	if l.guard == nil {
		return nil
	}
	if l.guard.refresh() != nil || l.guard.unreadable() != nil {
		return requests
	}
	l.asked(func() {
		for _, request := range requests {
			if l.index().byRequest[request] != nil {
				living = append(living, request)
			}
		}
	})
	return living
}

// Anew begins the next run of the process, which was given no state yet.
func (l *Log) Anew() {
	for _, b := range l.books {
		b.anew()
		said := b.said()
		said.mutex.Lock()
		said.index.anew()
		said.mutex.Unlock()
	}
}
