package purchases

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Bought is a purchase that an open entry of another run has made, or may have:
// no state is known to have it.
type Bought struct {
	Request, Sent string // its name in the log, and when it was sent
	IsAnswered    bool   // the reply is known; else it may have been bought
	GroupID       string
	JobID         string
	Keys          []string          // those of the wanted prompts that it has bought, or may have
	Generations   map[string]string // all that it has bought, by key, as far as the reply told
}

// BoughtError says that a purchase was not sent, since an open entry has it.
type BoughtError struct{ Found []Bought }

func (e *BoughtError) Error() string {
	return fmt.Sprintf(
		"the purchase log has it as sent at %s, and no state is known to have it",
		reply.Text(e.Found[0].Sent),
	)
}

// Holding is what a state has of purchases.
type Holding struct {
	Requests    []string // the names of their entries, from private state
	Generations []string
	CharacterID string
	JobID       string // of the character
	// Import is what a person has imported, as an order of it would be: an
	// entry without ids may have bought it. nil if nothing was imported.
	Import *Entry
}

// findBought returns what open entries of other runs have bought of what is
// wanted.
func (x *index) findBought(want *Entry, run string, buyer Buyer) (found []Bought) {
	for _, p := range x.byObject[object{want.CharacterID, want.Type}].inOrder() {
		if p.By.Run == run || !p.isSameObject(want, buyer) {
			continue
		}
		keys := p.keysIn(want)
		if want.Inputs == "" && len(keys) == 0 || p.Inputs != want.Inputs {
			continue
		}
		found = append(found, p.bought(keys))
	}
	return found
}

// isSameObject reports whether a purchase was made by the same caller, and for
// the same object: a group without an id is known by its title.
func (p *purchase) isSameObject(want *Entry, buyer Buyer) bool {
	if p.ImageID != want.ImageID || buyer.IsOther(p.By.Caller) {
		return false
	}
	if p.GroupID != "" && want.GroupID != "" {
		return p.GroupID == want.GroupID
	}
	return same.Text(titleOf(p.Entry), titleOf(want))
}

func titleOf(entry *Entry) string {
	if entry.Title == nil {
		return ""
	}
	return *entry.Title
}

// keysIn returns the wanted keys that the purchase has open, prompt and options
// being equal.
func (p *purchase) keysIn(want *Entry) (keys []string) {
	for key, sum := range want.Prompts {
		if p.open[key] == sum {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// bought is what the log knows of some keys of a purchase.
func (p *purchase) bought(keys []string) Bought {
	found := Bought{
		Request:     p.Request,
		Sent:        p.sent,
		IsAnswered:  p.Outcome == outcomeAnswered,
		GroupID:     p.GroupID,
		Keys:        keys,
		Generations: maps.Clone(p.Generations),
	}
	if p.JobID != nil {
		found.JobID = *p.JobID
	}
	return found
}

// held is what a state has of one open entry: all of it, unless it names keys.
type held struct {
	*purchase
	keys []string
}

// heldOf returns what a state has of open entries.
func (x *index) heldOf(has Holding, buyer Buyer) (found []held) {
	whole := x.wholeOf(has)
	keys := map[*purchase][]string{}
	for _, id := range has.Generations {
		for p := range x.byGeneration[id] {
			keys[p] = append(keys[p], p.keysOf(id)...)
		}
	}
	if has.Import != nil {
		x.findImported(has.Import, buyer, whole, keys)
	}
	for p := range whole {
		found = append(found, held{purchase: p})
	}
	for p, its := range keys {
		its = p.stillOpen(its)
		switch {
		case whole[p], len(its) == 0:
		case len(its) == len(p.open):
			found = append(found, held{purchase: p})
		default:
			found = append(found, held{purchase: p, keys: its})
		}
	}
	slices.SortFunc(found, func(a, b held) int { return strings.Compare(a.Request, b.Request) })
	return found
}

// wholeOf are the purchases that a state names by their request, or by their
// job.
func (x *index) wholeOf(has Holding) set {
	whole := set{}
	for _, request := range has.Requests {
		if p := x.open[request]; p != nil {
			whole[p] = true
		}
	}
	if has.JobID == "" {
		return whole
	}
	for p := range x.byJob[object{has.CharacterID, has.JobID}] {
		whole[p] = true
	}
	return whole
}

// findImported finds the entries without ids of what is equal to what was
// imported.
func (x *index) findImported(imported *Entry, buyer Buyer, whole set, keys map[*purchase][]string) {
	for p := range x.byObject[object{imported.CharacterID, imported.Type}] {
		isJob := imported.Inputs != ""
		switch {
		case !p.isSameObject(imported, buyer):
		case isJob && p.Inputs == imported.Inputs && p.JobID == nil:
			whole[p] = true
		case isJob:
		default:
			keys[p] = append(keys[p], p.keysWithoutID(imported)...)
		}
	}
}

// keysWithoutID are the keys of equal prompts whose generation no reply has
// named.
func (p *purchase) keysWithoutID(imported *Entry) (keys []string) {
	for _, key := range p.keysIn(imported) {
		if p.Generations[key] == "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// stillOpen returns those of the keys that nothing has closed, each once.
func (p *purchase) stillOpen(keys []string) (open []string) {
	for _, key := range keys {
		if _, is := p.open[key]; is {
			open = append(open, key)
		}
	}
	slices.Sort(open)
	return slices.Compact(open)
}
