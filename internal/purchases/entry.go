package purchases

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// The outcomes of a request in an entry.
const (
	outcomeSending   = "sending" // before a request
	outcomeAnswered  = "answered"
	outcomeRefused   = "refused"
	outcomeGone      = "gone" // proven of a purchase, or of an object that was to be deleted
	outcomeUnsent    = "unsent"
	outcomeUnknown   = "unknown"  // the request may have been executed
	outcomeForgotten = "kept"     // the object left the state without a request
	outcomeStored    = "stored"   // a later run was given a state that has the purchase
	outcomeReturned  = "returned" // the buying operation gave its state to the CLI
	outcomeWanted    = "wanted"   // a plan buys an equal order
	outcomeReleased  = "released" // a destroyed object shared its media with others
	outcomeOpened    = "opened"   // a log begins in a store
	outcomeCarried   = "carried"  // the line repeats older objects of a store
)

// version marks the entries that guard. Entries of earlier builds have no
// version: the states of these builds did not remember their requests, so that
// all entries would seem open.
const version = 2

// Entry is what the log says of a request: one entry before the request and one
// after it, with equal values of Request.
type Entry struct {
	Time         string  `json:"time"`
	Request      string  `json:"request,omitempty"`
	Type         string  `json:"type"`
	Outcome      string  `json:"outcome"`
	Version      int     `json:"version,omitempty"` // of a purchase that is about to be sent
	By           *Origin `json:"by,omitempty"`      // of a purchase that is about to be sent, and of a note
	Object       string  `json:"object,omitempty"`  // the buyer, by its name in private state; none in earlier builds
	Status       int     `json:"status,omitempty"`
	CharacterID  string  `json:"character_id,omitempty"`
	Name         string  `json:"name,omitempty"` // of a character to be created
	Title        *string `json:"title,omitempty"`
	GroupID      string  `json:"group_id,omitempty"`
	ImageID      string  `json:"image_id,omitempty"`      // of a dataset's image, to be regenerated
	GenerationID string  `json:"generation_id,omitempty"` // to be deleted
	// Prompts are the SHA-256 of each prompt as sent, by key. Inputs is the
	// SHA-256 of the inputs of a training, dataset or image. Differences
	// without a meaning are left out of both, so that equal purchases have
	// equal sums.
	Prompts map[string]string `json:"prompts,omitempty"`
	Inputs  string            `json:"inputs,omitempty"`
	// Labels are the labels of the object when its purchase is about to be
	// sent. They guard nothing.
	Labels map[string]string `json:"labels,omitempty"`
	// Generations are the ids by key, and OtherIDs the ids in the reply that
	// belong to no key. Certain says that the reply leaves no doubt about which
	// id belongs to which key.
	Generations map[string]string `json:"generations,omitempty"`
	OtherIDs    []string          `json:"other_ids,omitempty"`
	Certain     *bool             `json:"certain,omitempty"`
	Rejected    []string          `json:"rejected,omitempty"` // keys that the reply proves not to have been bought
	Leftovers   []string          `json:"left,omitempty"`     // generations that still exist, or that a state forgot
	// Keys are the keys that a state has or has had, if these are not all of
	// the purchase.
	Keys []string `json:"keys,omitempty"`
	// Now are the present keys in a state that differ from the entry's keys, by
	// the entry's keys. Title is then the present title.
	Now map[string]string `json:"now,omitempty"`
	// Of are the purchases that a note is about, by request: some of their
	// keys, or null for all. Shown are the keys that the service has shown
	// meanwhile.
	Of    map[string][]string `json:"of,omitempty"`
	Shown map[string][]string `json:"shown,omitempty"`
	// Bought are the keys that a plan buys once more although no state that it
	// was given has them, because their object has a later equal purchase.
	Bought map[string][]string `json:"bought,omitempty"`
	// Cost is the expected or actual cost of a purchase, by the buyer's prices.
	Cost *float64 `json:"cost,omitempty"`
	// Carried is the part of a store's object that repeats older objects.
	Carried *carried `json:"carried,omitempty"`
	api.Receipt
}

// text returns an entry as a line of the log. It contains only the hashes of
// the prompts.
func (e *Entry) text() string {
	text, _ := json.Marshal(e) // of a type that JSON can always write
	return string(text) + "\n"
}

// Origin says which run has written a line, who ran it, and for which caller.
type Origin struct {
	Run string `json:"run"` // a provider process, by a random name
	Author
	evidence.Caller
}

// Author says who has run a plan or apply, and on which machine. It is for
// people to read: no decision depends on it, and it has no secret.
type Author struct {
	User string `json:"user,omitempty"` // who has started the job, or the user of the operating system
	Host string `json:"host,omitempty"`
	Job  string `json:"job,omitempty"` // the address of a job of a CI system
}

// Screened returns the author without the texts that contain a secret. These are
// the texts that screen changes.
func (a Author) Screened(screen func(text string) string) Author {
	for _, text := range []*string{&a.User, &a.Host, &a.Job} {
		if screen(*text) != *text {
			*text = ""
		}
	}
	return a
}

// end stores how a request has ended.
func (e *Entry) end(err error) {
	failure, _ := errors.AsType[*reply.Error](err)
	switch {
	case err == nil:
		e.Outcome = outcomeAnswered
		return
	case failure == nil:
		e.Outcome = outcomeUnsent
		return
	case e.isDeletion() && failure.Proves.NotFound > reply.NotFoundUnproven:
		e.Outcome = outcomeGone
	case reply.IsEffectUnknown(err), e.isDeletion() && mayHaveDeleted(failure):
		e.Outcome = outcomeUnknown
	case failure.Said.Status == 0:
		e.Outcome = outcomeUnsent
	default:
		e.Outcome = outcomeRefused
	}
	e.Status = failure.Said.Status
	e.OtherIDs = append(e.OtherIDs, e.unnamed(failure.Said.IDs)...)
	if e.GroupID == "" {
		e.GroupID = failure.Said.Named["group_id"] // variant: error-group-id
	}
}

func (e *Entry) isDeletion() bool { return strings.HasPrefix(e.Type, "delete_") }

// mayHaveDeleted reports whether a failed deletion may have been executed. The
// package reply answers that only for a POST.
func mayHaveDeleted(failure *reply.Error) bool {
	return failure.Said.Status >= 500 || failure.Said.Status == 0 && failure.Sent.Connected
}

// unnamed returns the ids that the entry does not name in another field.
func (e *Entry) unnamed(ids []string) (others []string) {
	known := slices.Collect(maps.Values(e.Generations))
	known = append(known, e.CharacterID)
	known = append(known, e.OtherIDs...)
	if e.JobID != nil {
		known = append(known, *e.JobID)
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			others = append(others, id)
		}
	}
	return others
}

// isBought reports whether the request may have bought something, according to
// the entry.
func (e *Entry) isBought() bool { return mayHaveBought(e.Outcome) }

func mayHaveBought(outcome string) bool { return outcome != outcomeRefused && outcome != outcomeUnsent }

// SumOf returns the SHA-256 of a value's JSON.
func SumOf(value any) string {
	text, _ := json.Marshal(value)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
