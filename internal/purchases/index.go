package purchases

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"
	"unique"
)

// item is a single object of a purchase: a prompt of a batch, or the whole of
// any other purchase. It lives from the moment before its request is sent until
// something ends it: a refusal, a deletion, a cancellation, the end of its
// object, the proof that it is gone, or a later equal purchase by the same
// object. A state that has the item does not end it, because the state may be
// lost.
type item struct {
	of  *purchase
	key string // of the prompt; empty for other purchases
	now string // the key in the last state; empty if it is unchanged
	sum sum
	id  string // the id of its generation or job; empty if it is not known

	stored bool // a run was given a state that has the item
	// shown is who last saw the item, at the service or in a state; nil if
	// nobody did.
	shown  *Origin
	wanted wanted // by the last plan of all runs

	inRun *inRun // nil for most items: a log has 100,000
}

// inRun is the knowledge of an item that only this run has: the objects whose
// states have it, whether a plan of the run buys an equal order, the plans of
// others before that, and the objects to which a plan and an apply have offered
// it.
type inRun struct {
	holders                    []string
	isWanted                   bool
	wantedByOthers             *wanted // nil if no plan of this run buys an equal order
	offeredByPlan, offeredLate string
}

// wanted is the last plan that buys the equal of an item, and whether the plan
// was given a state that has the item.
type wanted struct {
	by       string // the run; empty if there is no such plan
	isStored bool
}

// isWantedBy records that a plan buys an equal order. The states that the plan
// was given are in later lines.
func (w *wanted) isWantedBy(run string) {
	w.isStored = w.isStored && w.by == run
	w.by = run
}

// isStoredFor records that a run was given a state that has the item.
func (w *wanted) isStoredFor(run string) { w.isStored = w.isStored || w.by == run }

// isNotWantedBy removes a run's note when the run buys. The run was an apply
// that mistook itself for a plan, and an apply is not given unchanged objects.
func (w *wanted) isNotWantedBy(run string) {
	if w.by == run {
		*w = wanted{}
	}
}

// wantedElsewhere returns the plans that count for this run. Its own notes do
// not count, because on some CLIs an apply cannot tell that it plans once more.
func (i *item) wantedElsewhere() wanted {
	if i.inRun != nil && i.inRun.wantedByOthers != nil {
		return *i.inRun.wantedByOthers
	}
	return i.wanted
}

// isWanted records a change of the wanting plans, for all runs and for this
// run.
func (i *item) isWanted(change func(*wanted)) {
	change(&i.wanted)
	if i.inRun != nil && i.inRun.wantedByOthers != nil {
		change(i.inRun.wantedByOthers)
	}
}

// isWantedHere records a change by a plan of this run. It counts only for all
// other runs.
func (i *item) isWantedHere(change func(*wanted)) {
	here := i.here()
	if here.wantedByOthers == nil {
		before := i.wanted
		here.wantedByOthers = &before
	}
	change(&i.wanted)
}

// here returns this run's knowledge of the item, to be changed.
func (i *item) here() *inRun {
	if i.inRun == nil {
		i.inRun = &inRun{}
	}
	return i.inRun
}

// isHeld reports whether a state that this run was given has the item.
func (i *item) isHeld() bool { return i.inRun != nil && len(i.inRun.holders) > 0 }

func (i *item) isHeldBy(object string) bool {
	return i.inRun != nil && slices.Contains(i.inRun.holders, object)
}

// isOfferable reports whether a plan of this run may offer the item to an
// object: it has not been offered to another object.
func (i *item) isOfferable(object string) bool {
	return i.inRun == nil || i.inRun.offeredByPlan == "" || i.inRun.offeredByPlan == object
}

// purchase is the log's knowledge of a request while one of its items lives.
type purchase struct {
	request, kind, character, group, image, object string
	title                                          *string
	by                                             *Origin
	sent                                           string
	outcome                                        string
	returned                                       bool
	number                                         int
	items                                          []*item // the living items, in the order of their keys
}

// item returns the item of a key; nil if it does not live.
func (p *purchase) item(key string) *item {
	place, found := p.place(key)
	if !found {
		return nil
	}
	return p.items[place]
}

func (p *purchase) place(key string) (place int, found bool) {
	return slices.BinarySearchFunc(p.items, key, func(its *item, key string) int { return cmp.Compare(its.key, key) })
}

// sum is a SHA-256. An entry has it in hexadecimal digits.
type sum [32]byte

// sumIn reads a sum. A sum in any other notation equals none of the provider's.
func sumIn(text string) (read sum) {
	decoded, err := hex.DecodeString(text)
	if err != nil || len(decoded) != len(read) {
		copy(read[:], text)
		return read
	}
	return sum(decoded)
}

// isAlike reports whether an item has the type, character and image of an
// order. It does not compare the sums, of the prompt with its options or of the
// inputs, which the caller has found equal.
func (i *item) isAlike(order *Entry) bool {
	return i.of.kind == order.Type && i.of.character == order.CharacterID && i.of.image == order.ImageID
}

// index finds the living items by everything that can ask for them or end them.
// Reading a log takes time linear in its length, and each question a time that
// does not depend on it.
type index struct {
	run          string // the reading run; empty if there is none
	count        int
	unstored     int // living items that no known state has
	nameless     int // living items whose ids no line has named
	byRequest    map[string]*purchase
	bySum        map[sum][]*item
	byGeneration map[string][]*item
	byGroup      map[string][]*purchase
	byObject     map[string][]*purchase // the buying object
	byJob        map[object]*item
	everNamed    map[object]bool    // includes ended items: their ids belong to no other entry
	origins      map[Origin]*Origin // each only once in memory, because most entries share a few
	offered      []*item            // by plans of this run
	refused      []*item            // by applies of this run
	released     map[string]bool    // destroyed objects that shared media with others
}

// object names a job of a character, because two characters may have jobs with
// equal ids. A generation is named by its id alone.
type object struct{ character, id string }

// newIndex returns the index of an empty log.
func newIndex() index {
	return index{
		byRequest:    map[string]*purchase{},
		bySum:        map[sum][]*item{},
		byGeneration: map[string][]*item{},
		byGroup:      map[string][]*purchase{},
		byObject:     map[string][]*purchase{},
		byJob:        map[object]*item{},
		everNamed:    map[object]bool{},
		origins:      map[Origin]*Origin{},
		released:     map[string]bool{},
	}
}

// take adds the next entry of the log. An outcome that this build does not know
// is ignored.
func (x *index) take(entry *Entry) {
	p := x.byRequest[entry.Request]
	switch entry.Outcome {
	case outcomeSending:
		x.begin(entry)
	case outcomeRefused, outcomeUnsent:
		x.end(p.living()...)
	case outcomeUnknown:
		x.learn(p, entry)
	case outcomeStored:
		x.store(p, entry)
	case outcomeForgotten:
		x.end(p.itemsOf(entry.Keys)...)
		x.endGenerations(entry.Leftovers)
	case outcomeWanted:
		x.want(entry)
	case outcomeReleased:
		x.released[entry.Object] = true
	case outcomeReturned:
		for request := range entry.Of {
			if bought := x.byRequest[request]; bought != nil {
				bought.returned = true
			}
		}
	case outcomeAnswered:
		if p == nil {
			x.delete(entry)
			return
		}
		x.answer(p, entry)
	case outcomeGone:
		if p == nil {
			x.delete(entry)
			return
		}
		x.end(p.itemsOf(entry.Keys)...)
	}
}

// begin adds a purchase that is about to be sent. A purchase that earlier
// builds have written guards nothing, because the states of these builds did
// not remember their requests. A duplicate line, for example where copies of a
// log were joined, is ignored.
func (x *index) begin(entry *Entry) {
	isKnown := x.byRequest[entry.Request] != nil
	if entry.Version != version || entry.By == nil || entry.Request == "" || isKnown {
		return
	}
	x.count++
	p := &purchase{
		request:   entry.Request,
		kind:      shared(entry.Type),
		character: shared(entry.CharacterID),
		image:     entry.ImageID,
		object:    entry.Object,
		title:     entry.Title,
		by:        x.origin(entry.By),
		sent:      shared(entry.Time),
		outcome:   shared(entry.Outcome),
		number:    x.count,
	}
	x.add(p, entry.GroupID)
	sums := sumsOf(entry)
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		made := &item{
			of:  p,
			key: key,
			sum: sumIn(sums[key]),
		}
		for _, former := range x.bySum[made.sum] {
			former.isWanted(func(w *wanted) { w.isNotWantedBy(entry.By.Run) })
		}
		x.addItem(made)
	}
}

// add makes a purchase findable, as soon as it is sent.
func (x *index) add(p *purchase, group string) {
	x.byRequest[p.request] = p
	x.joins(p, group)
	if p.object != "" {
		x.byObject[p.object] = append(x.byObject[p.object], p)
	}
}

// addItem makes the next item of a purchase findable. No state has it yet, and
// no line has named it.
func (x *index) addItem(made *item) {
	made.of.items = append(made.of.items, made)
	x.bySum[made.sum] = append(x.bySum[made.sum], made)
	x.unstored++
	x.nameless++
}

// nameItem makes an item findable by the id that a line has named.
func (x *index) nameItem(its *item, id string) {
	its.id = id
	x.nameless--
	if its.of.kind == "batch" {
		x.byGeneration[id] = append(x.byGeneration[id], its)
		x.everNamed[object{id: id}] = true
		return
	}
	job := object{its.of.character, id}
	x.byJob[job] = its
	x.everNamed[job] = true
}

// shared returns a text that many entries have, and keeps it once in memory.
func shared(text string) string { return unique.Make(text).Value() }

// sumsOf returns the sums of an order by key: the sums of a batch's prompts, or
// the sum of the inputs.
func sumsOf(entry *Entry) map[string]string {
	if entry.Inputs != "" {
		return map[string]string{"": entry.Inputs}
	}
	return entry.Prompts
}

func (x *index) origin(by *Origin) *Origin {
	if x.origins[*by] == nil {
		copied := *by
		x.origins[copied] = &copied
	}
	return x.origins[*by]
}

// joins notes the group of a batch. Before the answer, only an entry of a batch
// into an existing group has it.
func (x *index) joins(p *purchase, group string) {
	if group == "" || group == p.group {
		return
	}
	x.leaves(p)
	p.group = group
	x.byGroup[group] = append(x.byGroup[group], p)
}

func (x *index) leaves(p *purchase) {
	x.byGroup[p.group] = without(x.byGroup[p.group], p)
	if len(x.byGroup[p.group]) == 0 {
		delete(x.byGroup, p.group)
	}
}

// answer records what was bought. An earlier equal purchase of the same object
// is superseded: of equal purchases of an object the last guards.
func (x *index) answer(p *purchase, answer *Entry) {
	p.outcome = shared(answer.Outcome)
	x.joins(p, answer.GroupID)
	x.name(p, answer)
	x.end(p.named(answer.Rejected)...)
	for _, former := range slices.Clone(x.byObject[p.object]) {
		if former == p {
			continue
		}
		for _, bought := range p.items {
			superseded := former.item(bought.key)
			if superseded != nil && superseded.sum == bought.sum && former.kind == p.kind {
				x.end(superseded)
			}
		}
	}
}

// learn records the ids that have arrived in a reply that was cut off. The
// items are named, and an import of them settles the doubt. A group that an
// error names is ignored, because it may belong to anybody.
func (x *index) learn(p *purchase, unknown *Entry) {
	if p == nil {
		return
	}
	p.outcome = unknown.Outcome
	x.name(p, unknown)
}

// name makes items findable by the ids that a line names.
func (x *index) name(p *purchase, entry *Entry) {
	for key, id := range entry.Generations {
		if its := p.item(key); its != nil && id != "" && its.id == "" {
			x.nameItem(its, id)
		}
	}
	its := p.item("")
	if entry.JobID != nil && its != nil && its.id == "" {
		x.nameItem(its, *entry.JobID)
	}
}

// store records that a run was given a state that has the purchase. For entries
// of builds that named no object, that ends the purchase, as it did then.
func (x *index) store(p *purchase, entry *Entry) {
	if p == nil {
		return
	}
	x.name(p, entry)
	if entry.Title != nil {
		p.title = entry.Title
	}
	for _, its := range p.itemsOf(entry.Keys) {
		its.now = cmp.Or(entry.Now[its.key], its.now)
		if p.object == "" {
			x.end(its)
			continue
		}
		if !its.stored {
			its.stored = true
			x.unstored--
		}
		if entry.By != nil {
			its.shown = x.origin(entry.By)
			its.isWanted(func(w *wanted) { w.isStoredFor(entry.By.Run) })
		}
	}
}

// want records that a plan buys an equal order.
func (x *index) want(note *Entry) {
	if note.By == nil {
		return
	}
	run := note.By.Run
	isOwn := run == x.run
	for _, its := range x.itemsIn(note.Of) {
		if isOwn {
			its.here().isWanted = true
		}
		its.note(isOwn, func(w *wanted) { w.isWantedBy(run) })
	}
	for _, its := range x.itemsIn(note.Bought) {
		its.note(isOwn, func(w *wanted) { *w = wanted{by: run, isStored: true} })
	}
	for _, its := range x.itemsIn(note.Shown) {
		its.shown = x.origin(note.By)
	}
}

// note records a plan's note. A note of this run counts only for all other
// runs.
func (i *item) note(isOwn bool, change func(*wanted)) {
	if isOwn {
		i.isWantedHere(change)
	} else {
		i.isWanted(change)
	}
}

// itemsIn returns the living items of some keys, by request. A request without
// keys means all its items.
func (x *index) itemsIn(keys map[string][]string) (items []*item) {
	for request, its := range keys {
		items = append(items, x.byRequest[request].itemsOf(its)...)
	}
	return items
}

// delete records the deletion or the cancellation of a purchase.
func (x *index) delete(entry *Entry) {
	switch entry.Type {
	case "delete_generation":
		x.endGenerations([]string{entry.GenerationID})
	case "delete_group":
		x.endGroup(entry)
	case "cancel_training":
		if entry.JobID == nil {
			return
		}
		if its := x.byJob[object{entry.CharacterID, *entry.JobID}]; its != nil {
			x.end(its)
		}
	}
}

// endGroup ends the items that were deleted with their group: items whose ids
// are known, without the leftovers.
func (x *index) endGroup(deletion *Entry) {
	for _, p := range slices.Clone(x.byGroup[deletion.GroupID]) {
		for _, its := range p.living() {
			if its.id != "" && !slices.Contains(deletion.Leftovers, its.id) {
				x.end(its)
			}
		}
	}
}

// endGenerations ends generations that were deleted or given up.
func (x *index) endGenerations(ids []string) {
	for _, id := range ids {
		x.end(slices.Clone(x.byGeneration[id])...)
		x.everNamed[object{id: id}] = true
	}
}

// end ends the life of items.
func (x *index) end(items ...*item) {
	for _, its := range items {
		place, isThere := its.of.place(its.key)
		if isThere { // otherwise it has ended before
			its.of.items = slices.Delete(its.of.items, place, place+1)
			x.drop(its)
		}
	}
}

// drop removes an ended item from the index, and with its last item the
// purchase.
func (x *index) drop(its *item) {
	p := its.of
	forget(x.bySum, its.sum, its)
	forget(x.byGeneration, its.id, its)
	job := object{p.character, its.id}
	if x.byJob[job] == its {
		delete(x.byJob, job)
	}
	if !its.stored {
		x.unstored--
	}
	if its.id == "" {
		x.nameless--
	}
	if len(p.items) > 0 {
		return
	}
	delete(x.byRequest, p.request)
	x.leaves(p)
	x.byObject[p.object] = without(x.byObject[p.object], p)
	if len(x.byObject[p.object]) == 0 {
		delete(x.byObject, p.object)
	}
}

func forget[K comparable](lists map[K][]*item, name K, its *item) {
	left := without(lists[name], its)
	if len(left) == 0 {
		delete(lists, name)
		return
	}
	lists[name] = left
}

// without returns a list without one of its elements, in its order.
func without[T comparable](all []T, one T) []T {
	i := slices.Index(all, one)
	if i < 0 {
		return all
	}
	return slices.Delete(all, i, i+1)
}

// living returns a copy of the living items of a purchase; none if the purchase
// is not known.
func (p *purchase) living() (items []*item) {
	if p == nil {
		return nil
	}
	return slices.Clone(p.items)
}

// itemsOf returns the living items of some keys, or all if a line names no
// keys.
func (p *purchase) itemsOf(keys []string) []*item {
	if p != nil && len(keys) > 0 {
		return p.named(keys)
	}
	return p.living()
}

func (p *purchase) named(keys []string) (items []*item) {
	for _, key := range keys {
		if its := p.item(key); its != nil {
			items = append(items, its)
		}
	}
	return items
}

// isOpen reports whether a request has a living item that was in no state that
// any run was given.
func (x *index) isOpen(request string) bool {
	return slices.ContainsFunc(x.byRequest[request].living(), func(its *item) bool { return !its.stored })
}

// anew forgets the states that the previous run was given, and its offers.
func (x *index) anew() {
	x.offered = nil
	x.refused = nil
	for _, p := range x.byRequest {
		for _, its := range p.items {
			its.forgetRun()
		}
	}
}

// forgetRun forgets the knowledge of the previous run alone. The notes of its
// plans still count as this process's own.
func (i *item) forgetRun() {
	if i.inRun == nil || i.inRun.wantedByOthers == nil {
		i.inRun = nil
		return
	}
	i.inRun = &inRun{wantedByOthers: i.inRun.wantedByOthers}
}
