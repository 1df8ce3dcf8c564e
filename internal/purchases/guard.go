package purchases

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Bought is the part of an order that another run has already bought.
type Bought struct {
	Request, Sent string // the request's name in the log, and when it was sent
	IsAnswered    bool   // the reply is known; without it, the request may have bought something
	WasStored     bool   // a run was given a state that had the purchase
	GroupID       string
	JobID         string
	By            evidence.Caller   // the caller for whom it was bought
	Author        Author            // who has bought it, and where
	Keys          []string          // the wanted keys that were bought, sorted
	Generations   map[string]string // the known ids by these keys
	Others        []string          // the ids of the purchase's other living items
	// Shown are the callers to whom the service last showed an id, by id. An id
	// that nobody was shown is missing.
	Shown map[string]evidence.Caller
	own   []string // the keys in the entry
}

// BoughtError says that a purchase was not sent because another run has made
// it.
type BoughtError struct{ Found []Bought }

func (e *BoughtError) Error() string {
	return fmt.Sprintf(
		"the purchase log has it as sent at %s, and no state is known to have it",
		reply.Text(e.Found[0].Sent),
	)
}

// Holding is the part of an object's state that concerns purchases.
type Holding struct {
	Object      string   // the object's name in private state
	Requests    []string // the names of the purchases' entries, from private state
	Generations []string
	CharacterID string
	JobID       string // of the character
	// Title and Keys are the present title and keys of a group. Keys are by
	// generation, and nil if they are not known.
	Title *string
	Keys  map[string]string
	// Order returns an order that would buy the held objects, with their ids:
	// an entry without ids may have bought them. It returns nil if the order is
	// not known.
	Order func() *Entry
	// IsNew says that the state may not be stored yet, for example after an
	// import.
	IsNew bool
}

// Found are the living purchases that equal an object's order.
type Found struct {
	Own     []Bought // in the object's own state: the object may buy them again
	Equal   []Bought // in the state of another object
	Guarded []Bought // in no state that this run was given
	// Former are in no state that this run was given either, but the object's
	// state has a later equal purchase: of equal purchases the last guards.
	Former []Bought
}

// question is the question of an object before it buys.
type question struct {
	want   *Entry
	object string // the object's name in private state, or a unique name if it has none
	run    string
	caller evidence.Caller
}

// ask finds the living purchases of other runs that equal the order. Each
// purchase is offered to a single object.
func (x *index) ask(q question) (found Found) {
	own := answers{}
	equal := answers{}
	guarded := answers{}
	former := answers{}
	taken := map[*item]bool{}
	for _, key := range slices.Sorted(maps.Keys(sumsOf(q.want))) {
		var offers []*item
		alike := x.alike(q, key)
		last := q.lastOwn(alike)
		for _, its := range alike {
			switch {
			case its.isHeldBy(q.object):
				own.add(its, key)
			case its.isHeld():
				equal.add(its, key)
			case its.stored && its.of.number < last:
				former.add(its, key)
			case its.isOfferable(q.object) && !taken[its]:
				offers = append(offers, its)
			}
		}
		if its := q.best(key, offers); its != nil {
			taken[its] = true
			x.offer(its, q.object)
			guarded.add(its, key)
		}
	}
	return Found{
		Own:     own.inOrder(),
		Equal:   equal.inOrder(),
		Guarded: guarded.inOrder(),
		Former:  former.inOrder(),
	}
}

// lastOwn returns the number of the last purchase that the object's own state
// has; 0 if there is none.
func (q question) lastOwn(items []*item) (number int) {
	for _, its := range items {
		if its.isHeldBy(q.object) {
			number = its.of.number
		}
	}
	return number
}

// refuse finds the purchases that stop an apply: purchases that no state ever
// had, and purchases that no state of the last plan had when it planned to buy
// their equals. An apply is not shown unchanged objects, and so relies on the
// plan's note. If the plan could write no note, the apply relies on the states
// that the plan has shown.
func (x *index) refuse(q question) []Bought {
	refused := answers{}
	taken := map[*item]bool{}
	for _, key := range slices.Sorted(maps.Keys(sumsOf(q.want))) {
		its := x.claim(q, key, taken, func(its *item) bool {
			isElsewhere := its.inRun != nil && its.inRun.offeredLate != "" && its.inRun.offeredLate != q.object
			return !isElsewhere && !its.isHeldBy(q.object) && its.isRefused()
		})
		if its != nil {
			its.here().offeredLate = q.object
			x.refused = append(x.refused, its)
			refused.add(its, key)
		}
	}
	return refused.inOrder()
}

// isRefused reports whether an apply refuses to buy the item once more.
func (i *item) isRefused() bool {
	wanted := i.wantedElsewhere()
	return !i.stored || wanted.by != "" && !wanted.isStored
}

// unclaimed finds purchases that equal an order of existing objects and that no
// state ever had: a killed run would have replaced the object. The purchase of
// a run that ended in order is in a state that this run may be given later. The
// user is told of such a purchase only after a second plan was not given that
// state either.
func (x *index) unclaimed(q question) (told, untold []Bought) {
	killed := answers{}
	returned := answers{}
	taken := map[*item]bool{}
	for _, key := range slices.Sorted(maps.Keys(sumsOf(q.want))) {
		its := x.claim(q, key, taken, func(its *item) bool {
			return its.isOfferable(q.object) && !its.stored && !its.isHeld()
		})
		switch {
		case its == nil:
		case its.of.returned && its.wantedElsewhere().by == "":
			returned.add(its, key)
		default:
			x.offer(its, q.object)
			killed.add(its, key)
		}
	}
	return killed.inOrder(), returned.inOrder()
}

// claim returns the item that most likely equals a wanted key, is not taken by
// another key, and can belong to the key; nil if there is none. The item is
// then taken.
func (x *index) claim(q question, key string, taken map[*item]bool, isFree func(*item) bool) *item {
	var offers []*item
	for _, its := range x.alike(q, key) {
		if !taken[its] && isFree(its) {
			offers = append(offers, its)
		}
	}
	best := q.best(key, offers)
	if best != nil {
		taken[best] = true
	}
	return best
}

// alike returns the items that equal a wanted key, in the order in which they
// were sent. It leaves out this run's own purchases, and purchases that
// certainly belong to a different customer. An item that a state had must also
// match in its group, or else in title and key. An item that no state ever had
// matches by its sent content alone: a person may have changed the rest after a
// kill.
func (x *index) alike(q question, key string) (found []*item) {
	for _, its := range x.bySum[sumIn(sumsOf(q.want)[key])] {
		isOthers := its.isAlike(q.want) && its.of.by.Run != q.run && mayBeBuyerOf(q.caller, its.of.by.Caller)
		if isOthers && (!its.stored || q.isPlaceOf(its, key)) {
			found = append(found, its)
		}
	}
	return found
}

// isPlaceOf reports whether an item is in the group of the order. If one of the
// groups is not known, title and key have to match instead.
func (q question) isPlaceOf(its *item, key string) bool {
	if its.of.group != "" && q.want.GroupID != "" {
		return its.of.group == q.want.GroupID
	}
	return its.keyNow() == key && q.hasTitleOf(its) || its.key == "" && q.want.Inputs != ""
}

// keyNow returns the item's key in the last state, or else the key that was
// sent.
func (i *item) keyNow() string { return cmp.Or(i.now, i.key) }

func (q question) hasTitleOf(its *item) bool {
	return same.Text(textOf(its.of.title), textOf(q.want.Title))
}

func textOf(title *string) string {
	if title == nil {
		return ""
	}
	return *title
}

// offer notes that a plan of this run offers an item to an object.
func (x *index) offer(its *item, object string) {
	here := its.here()
	if here.offeredByPlan == "" {
		x.offered = append(x.offered, its)
	}
	here.offeredByPlan = object
}

// offeredElsewhere returns the items that an object has although a plan of this
// run has already offered them to another object.
func (x *index) offeredElsewhere(object string) []Bought {
	offered := answers{}
	for _, its := range x.offered {
		if its.here().offeredByPlan != object && its.isHeldBy(object) {
			offered.add(its, its.key)
		}
	}
	return offered.inOrder()
}

// refusedElsewhere returns the items that an object has and that an apply of
// this run has refused to buy for another object.
func (x *index) refusedElsewhere(object string) []Bought {
	refused := answers{}
	for _, its := range x.refused {
		if its.here().offeredLate != object && its.isHeldBy(object) {
			refused.add(its, its.key)
		}
	}
	return refused.inOrder()
}

// best returns the item that is most likely the wanted one: by title and key,
// else by key, else the first. It returns nil if there is none.
func (q question) best(key string, items []*item) (best *item) {
	likely := -1
	for _, its := range items {
		likelihood := 0
		if its.keyNow() == key {
			likelihood = 1
			if q.hasTitleOf(its) {
				likelihood = 2
			}
		}
		if likelihood > likely {
			best = its
			likely = likelihood
		}
	}
	return best
}

// answers collects items by their purchases.
type answers map[*purchase]map[string]*item // by the wanted key

func (a answers) add(its *item, key string) {
	if a[its.of] == nil {
		a[its.of] = map[string]*item{}
	}
	a[its.of][key] = its
}

// inOrder returns the purchases in the order in which they were sent.
func (a answers) inOrder() (all []Bought) {
	ordered := slices.SortedFunc(maps.Keys(a), func(one, other *purchase) int {
		return cmp.Compare(one.number, other.number)
	})
	for _, p := range ordered {
		all = append(all, p.bought(a[p]))
	}
	return all
}

// bought returns the log's knowledge of some items of a purchase, by their
// wanted keys.
func (p *purchase) bought(items map[string]*item) Bought {
	found := Bought{
		Request:     p.request,
		Sent:        p.sent,
		IsAnswered:  p.outcome == outcomeAnswered,
		WasStored:   true,
		GroupID:     p.group,
		By:          p.by.Caller,
		Author:      p.by.Author,
		Generations: map[string]string{},
		Shown:       map[string]evidence.Caller{},
	}
	named := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(items)) {
		its := items[key]
		found.Keys = append(found.Keys, key)
		found.own = append(found.own, its.key)
		found.WasStored = found.WasStored && its.stored
		named[its.id] = true
		switch {
		case its.id == "":
		case its.key == "" && p.kind != "batch":
			found.JobID = its.id
		default:
			found.Generations[key] = its.id
		}
		if its.shown != nil && its.id != "" {
			found.Shown[its.id] = its.shown.Caller
		}
	}
	for _, other := range p.living() {
		if other.id != "" && !named[other.id] {
			found.Others = append(found.Others, other.id)
		}
	}
	return found
}

// heldBy returns the living items that an object's state has. Entries without
// ids learn the ids of a state that has an equal prompt or job whose id no
// entry names: these items are learned.
func (x *index) heldBy(has Holding, caller evidence.Caller) (held, learned []*item) {
	for _, request := range has.Requests {
		held = append(held, x.byRequest[request].living()...)
	}
	for _, id := range has.Generations {
		held = append(held, x.byGeneration[id]...)
	}
	if its := x.byJob[object{has.CharacterID, has.JobID}]; its != nil && has.JobID != "" {
		held = append(held, its)
	}
	if x.nameless > 0 && has.Order != nil {
		order := has.Order()
		if order != nil {
			learned = x.learnFrom(order, len(has.Requests) > 0, caller)
		}
	}
	return append(held, learned...), learned
}

// learnFrom gives the ids of a state to equal items that have none. An id that
// an entry has ever named stays with that entry, even after its deletion: a
// state from before a killed run may still have the id. An item without ids,
// such as an image, belongs to the object if the object remembers no request of
// its own.
func (x *index) learnFrom(order *Entry, remembers bool, caller evidence.Caller) (learned []*item) {
	for key := range sumsOf(order) {
		id := order.Generations[key]
		if order.JobID != nil {
			id = *order.JobID
		}
		isNamed := x.everNamed[object{id: id}] || x.everNamed[object{order.CharacterID, id}]
		isUntold := id == "" && (remembers || hasIDs(order.Type))
		if isUntold || id != "" && isNamed {
			continue
		}
		its := x.namelessLike(order, key, caller)
		if its == nil {
			continue
		}
		x.name(its.of, &Entry{
			Generations: map[string]string{its.key: id},
			Receipt:     api.Receipt{JobID: order.JobID},
		})
		learned = append(learned, its)
	}
	return learned
}

// namelessLike returns the item without an id that was most likely bought for a
// key of an order; nil if there is none.
func (x *index) namelessLike(order *Entry, key string, caller evidence.Caller) *item {
	var nameless []*item
	for _, its := range x.bySum[sumIn(sumsOf(order)[key])] {
		isFree := its.isAlike(order) && its.id == "" && !its.isHeld()
		if isFree && mayBeBuyerOf(caller, its.of.by.Caller) {
			nameless = append(nameless, its)
		}
	}
	return question{want: order}.best(key, nameless)
}

// hasIDs reports whether the objects that a type of purchase buys have ids of
// their own.
func hasIDs(kind string) bool { return kind == "batch" || kind == "training" || kind == "dataset" }
