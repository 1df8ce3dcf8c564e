package purchases

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
)

// bought are the types of entries that may buy something. They are listed; all
// types are guarded.
var bought = []string{"batch", "training", "dataset", "image", "image_regeneration"}

// Recorded is a purchase in a log: the request and its outcome. It keeps only
// the listed parts of its entries, because a log may have 100,000.
type Recorded struct {
	Request string
	// Sent is when the request was about to be sent, in RFC 3339.
	Sent        string
	Type        string
	Outcome     string // from the last line about the end of the request
	CharacterID string
	GroupID     string
	ImageID     string
	JobID       string
	Title       *string
	By          *Author           // who has sent it
	Labels      map[string]string // of its object when it was bought
	// Keys are the sorted keys of a batch, without those that its reply has
	// rejected.
	Keys    []string
	Credits *float64 // deducted, according to the service
	// Generations are the ids by key, in JSON; empty if no reply has named them.
	Generations string
	// IsOpen tells whether no state is known to have the purchase. It is nil
	// for entries of earlier builds, because nobody can tell.
	IsOpen *bool

	prompts []string // the sorted keys that were sent
	guards  bool     // the entry is of a build whose entries guard
}

// IsBought reports whether the purchase may have been made.
func (r *Recorded) IsBought() bool { return mayHaveBought(r.Outcome) }

// Count returns the number of prompts that were bought; 1 for any other
// purchase.
func (r *Recorded) Count() int64 {
	if len(r.prompts) == 0 {
		return 1
	}
	return int64(len(r.Keys))
}

// Recorded returns the purchases in a log, in the order in which they were
// sent. name is the path of a file, or the address of a store. A log that does
// not exist has none. If a part of the log cannot be read, the other purchases
// are returned with an *UnreadableError.
func (l *Log) Recorded(ctx context.Context, name string) ([]Recorded, error) {
	var all []Recorded
	places := map[string]int{} // in all, by request
	alike := newSharing()
	open := newIndex()
	take := func(entry *Entry) {
		place, isKnown := places[entry.Request]
		switch {
		case entry.Outcome == outcomeSending && slices.Contains(bought, entry.Type):
			places[entry.Request] = len(all)
			recorded := recordedOf(entry)
			recorded.By = alike.author(entry)
			recorded.Labels = alike.labelsOf(entry)
			all = append(all, recorded)
		case isKnown:
			all[place].learn(entry)
		}
		open.take(entry)
	}
	unreadable, err := l.readAll(ctx, name, take)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].guards {
			isOpen := open.isOpen(all[i].Request)
			all[i].IsOpen = &isOpen
		}
	}
	return all, unreadable
}

// readAll calls take with each entry of a log.
func (l *Log) readAll(ctx context.Context, name string, take func(*Entry)) (unreadable, err error) {
	l.Finish() // so that the notes of this run are listed, too
	if IsStore(name) {
		return l.readAllOfStore(ctx, name, take)
	}
	var lines reader
	err = lines.read(name, func() {}, take)
	if err != nil {
		return nil, err
	}
	if lines.tail == notAnEntry {
		lines.tail = "" // another process has begun to write it
	}
	return lines.failure(name), nil
}

// readAllOfStore reads all entries of a store. Of each full hundred objects it
// fetches only the last, if that can be read: the last repeats the 99 before it.
func (l *Log) readAllOfStore(ctx context.Context, name string, take func(*Entry)) (unreadable, err error) {
	if l.openStore == nil {
		return nil, errNoStores
	}
	store, err := l.openStore(ctx, name)
	if err != nil {
		return nil, err
	}
	newest, err := store.Newest(ctx)
	if err != nil {
		return nil, err
	}
	var lines unreadableLines
	err = readObjects(ctx, store, newest, func(next storedObject) {
		if reason := next.read(take); reason != "" {
			lines.add(int(next.number), reason)
		}
	})
	return lines.failure(name, "object"), err
}

// sharing keeps each author and each map of labels once in memory, because most
// entries share a few.
type sharing struct {
	authors map[Author]*Author
	labels  map[string]map[string]string // by their sums
}

func newSharing() sharing {
	return sharing{authors: map[Author]*Author{}, labels: map[string]map[string]string{}}
}

func (s sharing) author(entry *Entry) *Author {
	by := Author{}
	if entry.By != nil {
		by = entry.By.Author
	}
	if s.authors[by] == nil {
		s.authors[by] = &by
	}
	return s.authors[by]
}

func (s sharing) labelsOf(entry *Entry) map[string]string {
	if len(entry.Labels) == 0 {
		return nil
	}
	sum := SumOf(entry.Labels)
	if s.labels[sum] == nil {
		s.labels[sum] = entry.Labels
	}
	return s.labels[sum]
}

// recordedOf returns a purchase that is about to be sent.
func recordedOf(sending *Entry) Recorded {
	r := Recorded{
		Request: sending.Request,
		Sent:    sending.Time,
		Type:    sending.Type,
		Outcome: sending.Outcome,
		prompts: slices.Sorted(maps.Keys(sending.Prompts)),
		guards:  sending.Version == version,
	}
	r.Keys = r.prompts
	r.learnObject(sending)
	return r
}

// learn adds a later line of the request, if the line says how the request has
// ended. A line about a state changes neither the purchase nor its end, and an
// outcome that this version does not know may say less than the line before.
func (r *Recorded) learn(ending *Entry) {
	if !slices.Contains(endings, ending.Outcome) {
		return
	}
	r.Outcome = ending.Outcome
	r.learnObject(ending)
	if ending.CreditsDeducted != nil {
		r.Credits = ending.CreditsDeducted
	}
	if len(ending.Generations) > 0 {
		text, _ := json.Marshal(ending.Generations) // of texts, which JSON can always write
		r.Generations = string(text)
	}
	if len(ending.Rejected) > 0 {
		r.Keys = keysWithout(r.prompts, ending.Rejected)
	}
}

// learnObject adds a line's facts about the purchased object. Facts that the
// line leaves out keep their values from earlier lines.
func (r *Recorded) learnObject(entry *Entry) {
	r.CharacterID = cmp.Or(entry.CharacterID, r.CharacterID)
	r.GroupID = cmp.Or(entry.GroupID, r.GroupID)
	r.ImageID = cmp.Or(entry.ImageID, r.ImageID)
	r.Title = cmp.Or(entry.Title, r.Title)
	if entry.JobID != nil {
		r.JobID = *entry.JobID
	}
}

// keysWithout returns the keys that are not rejected.
func keysWithout(keys, rejected []string) (left []string) {
	for _, key := range keys {
		if !slices.Contains(rejected, key) {
			left = append(left, key)
		}
	}
	return left
}

// endings are the outcomes that say how a request has ended.
var endings = []string{outcomeAnswered, outcomeRefused, outcomeUnsent, outcomeUnknown}

// GuardName returns the absolute path of the guarding file, or the address of
// its store; "" without a log.
func (l *Log) GuardName() string {
	if l.guard == nil {
		return ""
	}
	return l.guard.address()
}
