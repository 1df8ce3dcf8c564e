package purchases

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"math/big"
	"slices"
)

// A start reads only a part of a long store, because some objects repeat
// earlier ones. Each hundredth object repeats the lines of the 99 objects
// before it, and one in ten thousand also repeats all living purchases. The
// repeated part is a line of its own, in one piece with the object's other
// lines, and adds nothing new: a build that does not understand it reads the
// older objects.

const (
	shortCarry = 100
	longCarry  = 10_000
	// maxShort bounds the repeated lines of a short carry. The first object may
	// be a file of many megabytes.
	maxShort = 4 << 20
	// maxCarry bounds an object that repeats others, and maxProof an object
	// that is written a second time as a proof. From 16 MiB on, clients of
	// clouds send an object in parts, and a store may forget the condition of
	// the parts.
	maxCarry = 15 << 20
	maxProof = 1 << 20
	// maxObject bounds an unpacked object. Its size is not known before.
	maxObject = 1 << 30
	// carryVersion is the version of the form in which a carry repeats living
	// purchases.
	carryVersion = 1
)

// carried is the part of an object that repeats older objects.
type carried struct {
	Objects []string `json:"objects,omitempty"` // the lines of each of the 99 objects before
	Living  *living  `json:"living,omitempty"`  // the living purchases of all objects before
}

// living are the living purchases of all objects so far. Texts that many
// purchases share are listed once.
type living struct {
	Version   int                   `json:"version"`
	Count     int                   `json:"count"` // all purchases so far
	Callers   []Origin              `json:"callers,omitempty"`
	Purchases []livingPurchase      `json:"purchases,omitempty"`
	Named     []string              `json:"named,omitempty"` // ids that an entry has named, and no living item has
	NamedJobs [][2]string           `json:"named_jobs,omitempty"`
	Released  []string              `json:"released,omitempty"`
	Months    map[string]string     `json:"months,omitempty"` // the full cost of each month
	Open      map[string]openCharge `json:"open,omitempty"`   // charges that may still change, by request
}

type openCharge struct {
	Month string `json:"month"`
	Cost  string `json:"cost"`
}

type livingPurchase struct {
	Request   string       `json:"request"`
	Type      string       `json:"type"`
	Character string       `json:"character,omitempty"`
	Group     string       `json:"group,omitempty"`
	Image     string       `json:"image,omitempty"`
	Object    string       `json:"object,omitempty"`
	Title     *string      `json:"title,omitempty"`
	By        int          `json:"by"` // the caller's place in Callers
	Sent      string       `json:"sent"`
	Outcome   string       `json:"outcome"`
	Returned  bool         `json:"returned,omitempty"`
	Number    int          `json:"number"`
	Items     []livingItem `json:"items"`
}

type livingItem struct {
	Key          string `json:"key,omitempty"`
	Now          string `json:"now,omitempty"`
	Sum          string `json:"sum"`
	ID           string `json:"id,omitempty"`
	Stored       bool   `json:"stored,omitempty"`
	Shown        *int   `json:"shown,omitempty"` // the caller's place in Callers
	WantedBy     string `json:"wanted_by,omitempty"`
	WantedStored bool   `json:"wanted_stored,omitempty"`
}

// living returns the living purchases in a form for any reader: the knowledge
// of a single run is left out.
func (p *pages) living() *living {
	x := &p.index
	l := &living{
		Version:  carryVersion,
		Count:    x.count,
		Released: slices.Sorted(maps.Keys(x.released)),
		Months:   map[string]string{},
		Open:     map[string]openCharge{},
	}
	for month, cost := range p.spent.months {
		l.Months[month] = cost.RatString()
	}
	for request, sent := range p.spent.open {
		l.Open[request] = openCharge{sent.month, sent.cost.RatString()}
	}
	callers := callerPlaces{}
	for _, bought := range x.inOrder() {
		l.Purchases = append(l.Purchases, bought.toCarry(callers))
	}
	l.Callers = callers.list()
	for _, named := range x.namedOnly() {
		if named.character == "" {
			l.Named = append(l.Named, named.id)
		} else {
			l.NamedJobs = append(l.NamedJobs, [2]string{named.character, named.id})
		}
	}
	return l
}

// inOrder returns the living purchases, in the order in which they were sent.
func (x *index) inOrder() []*purchase {
	return slices.SortedFunc(
		maps.Values(x.byRequest),
		func(a, b *purchase) int { return cmp.Compare(a.number, b.number) },
	)
}

// namedOnly returns the ids that an entry has ever named, and that no living
// item has.
func (x *index) namedOnly() (named []object) {
	isLiving := map[object]bool{}
	for _, bought := range x.byRequest {
		for _, its := range bought.items {
			isLiving[its.name()] = true
		}
	}
	for name := range x.everNamed {
		if !isLiving[name] || name.id == "" {
			named = append(named, name)
		}
	}
	slices.SortFunc(named, func(a, b object) int {
		return cmp.Or(cmp.Compare(a.character, b.character), cmp.Compare(a.id, b.id))
	})
	return named
}

// name returns the name of the item's generation or job.
func (i *item) name() object {
	if i.of.kind == "batch" {
		return object{id: i.id}
	}
	return object{i.of.character, i.id}
}

// callerPlaces are the places of callers in a list without duplicates.
type callerPlaces map[*Origin]int

func (c callerPlaces) of(by *Origin) int {
	place, isKnown := c[by]
	if !isKnown {
		place = len(c)
		c[by] = place
	}
	return place
}

func (c callerPlaces) list() []Origin {
	callers := make([]Origin, len(c))
	for by, place := range c {
		callers[place] = *by
	}
	return callers
}

func (p *purchase) toCarry(callers callerPlaces) livingPurchase {
	carried := livingPurchase{
		Request:   p.request,
		Type:      p.kind,
		Character: p.character,
		Group:     p.group,
		Image:     p.image,
		Object:    p.object,
		Title:     p.title,
		By:        callers.of(p.by),
		Sent:      p.sent,
		Outcome:   p.outcome,
		Returned:  p.returned,
		Number:    p.number,
	}
	for _, its := range p.items {
		one := livingItem{
			Key:          its.key,
			Now:          its.now,
			Sum:          hex.EncodeToString(its.sum[:]),
			ID:           its.id,
			Stored:       its.stored,
			WantedBy:     its.wanted.by,
			WantedStored: its.wanted.isStored,
		}
		if its.shown != nil {
			one.Shown = new(callers.of(its.shown))
		}
		carried.Items = append(carried.Items, one)
	}
	return carried
}

// restore fills the pages with a carry's contents of all objects before it.
func (p *pages) restore(l *living) error {
	p.restart()
	x := &p.index
	for _, bought := range l.Purchases {
		if bought.By < 0 || bought.By >= len(l.Callers) {
			return errNoCarry
		}
		x.revive(bought, l.Callers)
	}
	x.count = l.Count
	for _, id := range l.Named {
		x.everNamed[object{id: id}] = true
	}
	for _, job := range l.NamedJobs {
		x.everNamed[object{job[0], job[1]}] = true
	}
	for _, name := range l.Released {
		x.released[name] = true
	}
	return p.spent.restore(l)
}

func (s *spending) restore(l *living) error {
	for month, text := range l.Months {
		cost, isNumber := new(big.Rat).SetString(text)
		if !isNumber {
			return errNoCarry
		}
		s.months[month] = cost
	}
	for request, sent := range l.Open {
		cost, isNumber := new(big.Rat).SetString(sent.Cost)
		if !isNumber {
			return errNoCarry
		}
		s.open[request] = charge{sent.Month, cost}
	}
	return nil
}

// errNoCarry says that the repeated part of an object cannot be understood.
var errNoCarry = errors.New("carries what cannot be read")

// revive restores a living purchase.
func (x *index) revive(bought livingPurchase, callers []Origin) {
	x.count = bought.Number
	p := &purchase{
		request:   bought.Request,
		kind:      shared(bought.Type),
		character: shared(bought.Character),
		image:     bought.Image,
		object:    bought.Object,
		title:     bought.Title,
		by:        x.origin(&callers[bought.By]),
		sent:      shared(bought.Sent),
		outcome:   shared(bought.Outcome),
		returned:  bought.Returned,
		number:    bought.Number,
	}
	x.add(p, bought.Group)
	for _, one := range bought.Items {
		its := &item{
			of:     p,
			key:    one.Key,
			now:    one.Now,
			sum:    sumIn(one.Sum),
			stored: one.Stored,
			wanted: wanted{by: one.WantedBy, isStored: one.WantedStored},
		}
		if one.Shown != nil && *one.Shown >= 0 && *one.Shown < len(callers) {
			its.shown = x.origin(&callers[*one.Shown])
		}
		x.addItem(its)
		if its.stored {
			x.unstored--
		}
		if one.ID != "" {
			x.nameItem(its, one.ID)
		}
	}
}

// storedObject is an object of a store after it was read.
type storedObject struct {
	number  int64
	content []byte // in the form of the store
	lines   []byte // without the repeated part
	carried *carried
}

var gzipMagic = []byte("\x1f\x8b")

// openObject reads an object. Only objects with a repeated part are packed.
func openObject(number int64, content []byte) (opened storedObject, err error) {
	opened = storedObject{
		number:  number,
		content: content,
		lines:   content,
	}
	if !bytes.HasPrefix(content, gzipMagic) {
		return opened, nil
	}
	packed, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return opened, err
	}
	opened.lines, err = io.ReadAll(io.LimitReader(packed, maxObject))
	if err != nil {
		return opened, err
	}
	first, rest, _ := bytes.Cut(opened.lines, []byte("\n"))
	decode(first, func(entry *Entry) {
		if entry.Outcome == outcomeCarried {
			opened.carried = entry.Carried
			opened.lines = rest
		}
	})
	return opened, nil
}

// pack returns the content of an object with a repeated part.
func pack(carry, lines string) []byte {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, carry+lines) // to memory, where a write cannot fail
	_ = w.Close()
	return packed.Bytes()
}

// carryLine returns the line with an object's repeated part.
func carryLine(time string, carries *carried) string {
	line := Entry{
		Time:    time,
		Type:    "carry",
		Outcome: outcomeCarried,
		Carried: carries,
	}
	return line.text()
}

// read calls take with each entry of the object. It returns the reason if not
// all of the object is entries.
func (o storedObject) read(take func(*Entry)) (reason string) {
	for line := range bytes.Lines(o.lines) {
		found := decode(bytes.TrimSuffix(line, []byte("\n")), take)
		reason = cmp.Or(reason, found.reason, found.rest)
	}
	return reason
}
