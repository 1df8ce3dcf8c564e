package purchases

import (
	"cmp"
	"maps"
	"slices"
)

// purchase is an open entry: no state is known to have what it has bought, or
// may have.
type purchase struct {
	*Entry // of the answer, if there was one
	number int
	sent   string
	open   map[string]string // the sums of the prompts that are still open, by key; nil without prompts
}

// index has the open entries, by what can close them: reading a log takes time
// linear in its length.
type index struct {
	count        int
	open         map[string]*purchase // by request
	byObject     map[object]set
	byGeneration map[string]set
	byGroup      map[string]set
	byJob        map[object]set
}

// set has purchases. Any of them leaves it at once, however many there are.
type set map[*purchase]bool

// object names what is bought for a character: a type, or a job. Two may have
// jobs of one id.
type object struct{ character, name string }

// newIndex is of a log that has nothing.
func newIndex() index {
	return index{
		open:         map[string]*purchase{},
		byObject:     map[object]set{},
		byGeneration: map[string]set{},
		byGroup:      map[string]set{},
		byJob:        map[object]set{},
	}
}

// inOrder returns purchases in the order in which they were sent.
func (s set) inOrder() []*purchase {
	return slices.SortedFunc(maps.Keys(s), func(a, b *purchase) int { return cmp.Compare(a.number, b.number) })
}

// take takes over the next entry of the log.
func (x *index) take(entry *Entry) {
	p := x.open[entry.Request]
	switch entry.Outcome {
	case outcomeSending:
		x.begin(entry)
	case outcomeRefused, outcomeUnsent:
		x.close(p)
	case outcomeUnknown:
		x.learn(p, entry)
	case outcomeStored:
		x.closeKeys(p, entry.Keys)
	case outcomeForgotten:
		x.closeKeys(p, entry.Keys)
		x.closeGenerations(entry.Leftovers)
	case outcomeAnswered, outcomeGone:
		if p != nil {
			x.answer(p, entry)
			return
		}
		x.delete(entry)
	}
}

// begin opens a purchase: it guards what it buys until a state has shown it.
func (x *index) begin(entry *Entry) {
	if entry.Version != version || entry.By == nil || entry.Request == "" {
		return
	}
	x.count++
	p := &purchase{
		Entry:  entry,
		number: x.count,
		sent:   entry.Time,
		open:   maps.Clone(entry.Prompts),
	}
	x.open[entry.Request] = p
	x.note(p)
}

// answer takes over what was bought. A group that an error names may be
// anybody's, and is not.
func (x *index) answer(p *purchase, answer *Entry) {
	answer.By = p.By
	p.Entry = answer
	x.note(p)
	x.closeKeysOf(p, answer.Rejected)
}

// learn takes over the ids that have arrived of a reply that was cut off: they
// are named, and an import of them closes the entry. It stays open, as nothing
// else of the reply is known.
func (x *index) learn(p *purchase, unknown *Entry) {
	if p == nil {
		return
	}
	p.Generations = unknown.Generations
	p.JobID = unknown.JobID
	x.note(p)
}

// note makes a purchase found by all that names it.
func (x *index) note(p *purchase) {
	add(x.byObject, object{p.CharacterID, p.Type}, p)
	if p.GroupID != "" {
		add(x.byGroup, p.GroupID, p)
	}
	for _, id := range p.Generations {
		add(x.byGeneration, id, p)
	}
	if p.JobID != nil {
		add(x.byJob, object{p.CharacterID, *p.JobID}, p)
	}
}

func add[K comparable](sets map[K]set, name K, p *purchase) {
	if sets[name] == nil {
		sets[name] = set{}
	}
	sets[name][p] = true
}

// delete takes over the deletion of what was bought, or its cancellation.
func (x *index) delete(entry *Entry) {
	switch entry.Type {
	case "delete_generation":
		x.closeGenerations([]string{entry.GenerationID})
	case "delete_group":
		for p := range maps.Clone(x.byGroup[entry.GroupID]) {
			x.closeAllBut(p, entry.Leftovers)
		}
	case "cancel_training":
		if entry.JobID == nil {
			return
		}
		for p := range maps.Clone(x.byJob[object{entry.CharacterID, *entry.JobID}]) {
			x.close(p)
		}
	}
}

// closeGenerations closes what a state holds, or what was deleted.
func (x *index) closeGenerations(ids []string) {
	for _, id := range ids {
		for p := range maps.Clone(x.byGeneration[id]) {
			x.closeKeysOf(p, p.keysOf(id))
		}
	}
}

// closeAllBut closes what went with its group: prompts whose ids are known,
// without its leftovers.
func (x *index) closeAllBut(p *purchase, leftovers []string) {
	var keys []string
	for key, id := range p.Generations {
		if !slices.Contains(leftovers, id) {
			keys = append(keys, key)
		}
	}
	x.closeKeysOf(p, keys)
}

// closeKeys closes a purchase if no keys are named, else those.
func (x *index) closeKeys(p *purchase, keys []string) {
	if len(keys) == 0 {
		x.close(p)
		return
	}
	x.closeKeysOf(p, keys)
}

// closeKeysOf closes keys of a purchase, and the purchase with its last.
func (x *index) closeKeysOf(p *purchase, keys []string) {
	if p == nil || len(keys) == 0 {
		return
	}
	for _, key := range keys {
		delete(p.open, key)
	}
	if len(p.open) == 0 {
		x.close(p)
	}
}

// close ends what a purchase guards.
func (x *index) close(p *purchase) {
	if p == nil {
		return
	}
	delete(x.open, p.Request)
	remove(x.byObject, object{p.CharacterID, p.Type}, p)
	remove(x.byGroup, p.GroupID, p)
	for _, id := range p.Generations {
		remove(x.byGeneration, id, p)
	}
	if p.JobID != nil {
		remove(x.byJob, object{p.CharacterID, *p.JobID}, p)
	}
}

func remove[K comparable](sets map[K]set, name K, p *purchase) {
	delete(sets[name], p)
	if len(sets[name]) == 0 {
		delete(sets, name)
	}
}

// keysOf are the keys that share a generation.
func (p *purchase) keysOf(id string) (keys []string) {
	for key, its := range p.Generations {
		if its == id {
			keys = append(keys, key)
		}
	}
	return keys
}
