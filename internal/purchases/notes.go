package purchases

import (
	"cmp"
	"maps"
	"slices"
)

// Want notes that a plan buys the equals of these purchases, and which of the
// purchases the service has shown meanwhile. The apply relies on the note. A
// log that cannot be written does not stop the plan.
func (l *Log) Want(found Found, shown map[string]bool) {
	wanted := slices.Concat(found.Own, found.Equal, found.Guarded)
	if len(wanted)+len(found.Former) == 0 {
		return
	}
	l.note(func() (notes []*Entry) {
		note := &Entry{
			Type:    "plan",
			Outcome: outcomeWanted,
			By:      l.origin(),
			Of:      map[string][]string{},
			Shown:   shownIn(wanted, shown),
			Bought:  map[string][]string{},
		}
		for _, former := range found.Former {
			note.Bought[former.Request] = former.own
		}
		var held []*item
		for _, bought := range wanted {
			p := l.index().byRequest[bought.Request]
			if p == nil {
				continue // the item has ended meanwhile
			}
			items := p.named(bought.own)
			note.Of[bought.Request] = keysUnlessAll(items)
			held = append(held, storedIn(items)...)
		}
		l.index().take(note)
		return append([]*Entry{note}, l.stored(held, nil)...)
	})
}

// shownIn returns the keys that the service has shown, by request.
func shownIn(wanted []Bought, shown map[string]bool) map[string][]string {
	keys := map[string][]string{}
	for _, bought := range wanted {
		for i, key := range bought.Keys {
			if id := bought.Generations[key]; id != "" && shown[id] {
				keys[bought.Request] = append(keys[bought.Request], bought.own[i])
			}
		}
	}
	return keys
}

// storedIn returns the items that are in a stored state that this run was
// given.
func storedIn(items []*item) (held []*item) {
	for _, its := range items {
		if its.isHeld() && its.stored {
			held = append(held, its)
		}
	}
	return held
}

// Stored records the purchases that an object's state has. It writes that to
// the log once, and again if a plan of this run buys an equal order. It ends
// nothing, because a state can be lost. A state that this run has written
// proves nothing: it may not be stored yet.
func (l *Log) Stored(has Holding) {
	l.write(l.recall, func() (notes []*Entry) {
		held, learned := l.index().heldBy(has, l.caller())
		var news []*item
		for _, its := range held {
			here := its.here()
			isNew := !slices.Contains(here.holders, has.Object)
			if isNew {
				here.holders = append(here.holders, has.Object)
			}
			isNews := !its.stored || isNew && here.isWanted || has.renames(its) || slices.Contains(learned, its)
			if isNews && !has.IsNew && its.of.by.Run != l.run {
				news = append(news, its)
			}
		}
		notes = l.stored(news, learned)
		l.noteNames(notes, has)
		return notes
	})
}

// noteNames adds the present title and keys of the state to lines. A lost state
// is recognised by them.
func (l *Log) noteNames(notes []*Entry, has Holding) {
	for _, note := range notes {
		p := l.index().byRequest[note.Request]
		if p == nil || has.Keys == nil {
			continue
		}
		note.Title = new(textOf(has.Title))
		note.Now = map[string]string{}
		for _, its := range p.itemsOf(note.Keys) {
			if now := has.Keys[its.id]; now != "" && now != its.keyNow() {
				note.Now[its.key] = now
			}
		}
		l.index().take(note)
	}
}

// renames reports whether a state has an item under a different title or key
// than the last state.
func (h Holding) renames(its *item) bool {
	now, isTold := h.Keys[its.id]
	return isTold && (now != its.keyNow() || textOf(h.Title) != textOf(its.of.title))
}

// stored records that a state has items, and returns a line for each purchase.
// The lines of learned items have the ids.
func (l *Log) stored(items, learned []*item) (notes []*Entry) {
	for _, its := range byPurchase(items) {
		note := l.noteOf(its, outcomeStored)
		note.By = l.origin()
		note.Generations = map[string]string{}
		for _, one := range its {
			switch {
			case !slices.Contains(learned, one) || one.id == "":
			case one.of.kind == "batch":
				note.Generations[one.key] = one.id
			default:
				note.JobID = &one.id
			}
		}
		l.index().take(note)
		notes = append(notes, note)
	}
	return notes
}

// noteOf returns a line about items of one purchase.
func (l *Log) noteOf(items []*item, outcome string) *Entry {
	return &Entry{
		Request: items[0].of.request,
		Type:    items[0].of.kind,
		Outcome: outcome,
		Keys:    keysUnlessAll(items),
	}
}

// keysUnlessAll returns the sorted keys of items of one purchase for a line of
// the log. It returns none if the items are all living items of the purchase.
func keysUnlessAll(items []*item) (keys []string) {
	if len(items) == 0 || len(items) == len(items[0].of.items) {
		return nil
	}
	for _, its := range items {
		keys = append(keys, its.key)
	}
	slices.Sort(keys)
	return keys
}

// byPurchase groups items by their purchases, without duplicates, in the order
// in which the purchases were sent.
func byPurchase(items []*item) (parts [][]*item) {
	parted := map[*purchase][]*item{}
	known := map[*item]bool{}
	for _, its := range items {
		if !known[its] {
			known[its] = true
			parted[its.of] = append(parted[its.of], its)
		}
	}
	ordered := slices.SortedFunc(maps.Keys(parted), func(a, b *purchase) int { return cmp.Compare(a.number, b.number) })
	for _, p := range ordered {
		parts = append(parts, parted[p])
	}
	return parts
}

// Forgotten writes to the log that a state has given up its purchases,
// including purchases of this run.
func (l *Log) Forgotten(has Holding) { l.endHeld(has, outcomeForgotten) }

// Gone writes to the log that purchases are proven gone at the service.
func (l *Log) Gone(has Holding) { l.endHeld(has, outcomeGone) }

func (l *Log) endHeld(has Holding, outcome string) {
	l.note(func() (notes []*Entry) {
		held, _ := l.index().heldBy(has, l.caller())
		for _, its := range byPurchase(held) {
			note := l.noteOf(its, outcome)
			l.index().take(note)
			notes = append(notes, note)
		}
		return notes
	})
}

// note writes the notes that decide returns. A log that cannot be written does
// not stop the run: the next run finds the same facts.
func (l *Log) note(decide func() []*Entry) { l.write(l.look, decide) }

// write is note with a choice of how to read the log: look or recall.
func (l *Log) write(read func(ask func()), decide func() []*Entry) {
	if l.guard == nil {
		return
	}
	var lines []string
	read(func() {
		for _, entry := range decide() {
			lines = append(lines, l.line(entry))
		}
	})
	if len(lines) == 0 {
		return
	}
	for b := range l.distinct() {
		b.note(lines)
	}
}

// Returned notes that an operation gives its state to the CLI. After that, its
// purchases are in no state only if the state is lost.
func (l *Log) Returned(requests []string) {
	if len(requests) == 0 {
		return
	}
	note := &Entry{
		Type:    "apply",
		Outcome: outcomeReturned,
		Of:      map[string][]string{},
	}
	for _, request := range requests {
		note.Of[request] = nil
	}
	l.note(func() []*Entry { return []*Entry{note} })
}

// Release notes that a destroyed object shared media with others: the media are
// deleted with the last object.
func (l *Log) Release(object string) {
	note := &Entry{
		Type:    "object",
		Outcome: outcomeReleased,
		Object:  object,
	}
	l.note(func() []*Entry {
		l.index().take(note)
		return []*Entry{note}
	})
}
