package purchases

import (
	"maps"
	"slices"
)

// bought are the types of the entries that may buy something, which are listed.
// Guarded are all types.
var bought = []string{"batch", "training", "dataset", "image", "image_regeneration"}

// Recorded is a purchase as a log has it: what was sent, and what became of it.
type Recorded struct {
	// Entry has what is known by the last line of the request.
	Entry
	// Sent is when the request was about to be sent, in RFC 3339.
	Sent string
	// IsOpen tells whether no state is known to have what was bought; nil of
	// entries that earlier builds have written, which nobody can tell.
	IsOpen *bool
}

// IsBought reports whether the purchase may have been made.
func (r *Recorded) IsBought() bool { return r.isBought() }

// BoughtKeys returns the sorted keys of a batch, without those that its reply
// has rejected.
func (r *Recorded) BoughtKeys() (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(r.Prompts)) {
		if !slices.Contains(r.Rejected, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// ReadFile returns the purchases that a log has, in the order in which they
// were sent. A file that does not exist has none. Of one with lines that cannot
// be read it returns the others, with an *UnreadableError.
func ReadFile(path string) ([]*Recorded, error) {
	var all []*Recorded
	byRequest := map[string]*Recorded{}
	open := newIndex()
	take := func(entry *Entry) {
		recorded := byRequest[entry.Request]
		switch {
		case entry.Outcome == outcomeSending && slices.Contains(bought, entry.Type):
			recorded = &Recorded{Entry: *entry, Sent: entry.Time}
			byRequest[entry.Request] = recorded
			all = append(all, recorded)
		case recorded != nil:
			recorded.learn(entry)
		}
		open.take(entry)
	}
	var lines reader
	err := lines.read(path, func() {}, take)
	if err != nil {
		return nil, err
	}
	for _, recorded := range all {
		if recorded.Version == version {
			_, isOpen := open.open[recorded.Request]
			recorded.IsOpen = &isOpen
		}
	}
	if lines.tail == notAnEntry {
		lines.tail = "" // somebody has begun to write it
	}
	return all, lines.failure(path)
}

// learn takes over a later line of the request, if that says how it has ended.
// What a state has of it changes neither what was bought nor how that ended, and
// an outcome that this version does not know may say less than the line before.
func (r *Recorded) learn(entry *Entry) {
	if !slices.Contains(endings, entry.Outcome) {
		return
	}
	sent := r.Entry
	r.Entry = *entry
	r.Version = sent.Version
	r.Prompts = sent.Prompts
}

// endings are the outcomes that say how a request has ended.
var endings = []string{outcomeAnswered, outcomeRefused, outcomeGone, outcomeUnsent, outcomeUnknown}

// GuardPath is the file that guards, absolute; "" without a log.
func (l *Log) GuardPath() string {
	if l.guard == nil {
		return ""
	}
	return l.guard.path
}
