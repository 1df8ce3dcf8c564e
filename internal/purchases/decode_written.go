package purchases

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// writtenEntry reads an entry in the form in which Log writes it: a log of
// 100,000 purchases has 200 MiB, which encoding/json takes seconds for. It gives
// up at everything else (isOther), such as white space, null and fields that it
// does not know: then encoding/json reads the entry.
type writtenEntry struct {
	text    []byte
	at      int
	isOther bool
	texts   *texts
}

// decode reads one entry, and reports whether it could.
func (w *writtenEntry) decode(entry *Entry) bool {
	w.object(func(name []byte) {
		read := entryFields[string(name)]
		if read == nil {
			w.isOther = true
			return
		}
		read(w, entry)
	})
	return !w.isOther
}

// entryFields read the fields of an entry by their names in JSON.
var entryFields = map[string]func(*writtenEntry, *Entry){
	"time":                   func(w *writtenEntry, e *Entry) { e.Time = w.string() },
	"request":                func(w *writtenEntry, e *Entry) { e.Request = w.string() },
	"type":                   func(w *writtenEntry, e *Entry) { e.Type = w.shared() },
	"outcome":                func(w *writtenEntry, e *Entry) { e.Outcome = w.shared() },
	"version":                func(w *writtenEntry, e *Entry) { e.Version = int(w.integer()) },
	"by":                     func(w *writtenEntry, e *Entry) { e.By = w.origin(e.By) },
	"status":                 func(w *writtenEntry, e *Entry) { e.Status = int(w.integer()) },
	"character_id":           func(w *writtenEntry, e *Entry) { e.CharacterID = w.shared() },
	"name":                   func(w *writtenEntry, e *Entry) { e.Name = w.string() },
	"title":                  func(w *writtenEntry, e *Entry) { e.Title = new(w.shared()) },
	"group_id":               func(w *writtenEntry, e *Entry) { e.GroupID = w.string() },
	"image_id":               func(w *writtenEntry, e *Entry) { e.ImageID = w.string() },
	"generation_id":          func(w *writtenEntry, e *Entry) { e.GenerationID = w.string() },
	"prompts":                func(w *writtenEntry, e *Entry) { e.Prompts = w.stringMap(e.Prompts) },
	"inputs":                 func(w *writtenEntry, e *Entry) { e.Inputs = w.string() },
	"generations":            func(w *writtenEntry, e *Entry) { e.Generations = w.stringMap(e.Generations) },
	"other_ids":              func(w *writtenEntry, e *Entry) { e.OtherIDs = w.list() },
	"certain":                func(w *writtenEntry, e *Entry) { e.Certain = new(w.flag()) },
	"rejected":               func(w *writtenEntry, e *Entry) { e.Rejected = w.list() },
	"left":                   func(w *writtenEntry, e *Entry) { e.Leftovers = w.list() },
	"keys":                   func(w *writtenEntry, e *Entry) { e.Keys = w.list() },
	"batch_id":               func(w *writtenEntry, e *Entry) { e.BatchID = new(w.string()) },
	"job_id":                 func(w *writtenEntry, e *Entry) { e.JobID = new(w.string()) },
	"generation_type":        func(w *writtenEntry, e *Entry) { e.GenerationType = new(w.shared()) },
	"batch_status":           func(w *writtenEntry, e *Entry) { e.BatchStatus = new(w.shared()) },
	"message":                func(w *writtenEntry, e *Entry) { e.Message = new(w.shared()) },
	"total_requested":        func(w *writtenEntry, e *Entry) { e.TotalRequested = new(w.integer()) },
	"successful_submissions": func(w *writtenEntry, e *Entry) { e.SuccessfulSubmissions = new(w.integer()) },
	"failed_submissions":     func(w *writtenEntry, e *Entry) { e.FailedSubmissions = new(w.integer()) },
	"training_steps":         func(w *writtenEntry, e *Entry) { e.TrainingSteps = new(w.integer()) },
	"total_images":           func(w *writtenEntry, e *Entry) { e.TotalImages = new(w.integer()) },
	"estimated_time":         func(w *writtenEntry, e *Entry) { e.EstimatedTime = new(w.number()) },
	"credits_deducted":       func(w *writtenEntry, e *Entry) { e.CreditsDeducted = new(w.number()) },
	"remaining_balance":      func(w *writtenEntry, e *Entry) { e.RemainingBalance = new(w.number()) },
}

// originFields read the fields of an origin.
var originFields = map[string]func(*writtenEntry, *Origin){
	"run":          func(w *writtenEntry, o *Origin) { o.Run = w.shared() },
	"address":      func(w *writtenEntry, o *Origin) { o.Address = w.shared() },
	"organization": func(w *writtenEntry, o *Origin) { o.Organization = w.shared() },
	"salt":         func(w *writtenEntry, o *Origin) { o.Salt = w.shared() },
	"credential":   func(w *writtenEntry, o *Origin) { o.Credential = w.shared() },
}

// object calls read with the name of each field. It has at least one.
func (w *writtenEntry) object(read func(name []byte)) {
	w.expect('{')
	for !w.isOther {
		name := w.quoted()
		w.expect(':')
		if w.isOther {
			return
		}
		read(name)
		if !w.accept(',') {
			break
		}
	}
	w.expect('}')
}

// accept steps over a byte, if it is the next.
func (w *writtenEntry) accept(next byte) bool {
	is := w.at < len(w.text) && w.text[w.at] == next
	if is {
		w.at++
	}
	return is
}

// expect steps over the byte that has to be the next.
func (w *writtenEntry) expect(next byte) {
	if !w.accept(next) {
		w.isOther = true
	}
}

// quoted is a text in quotes.
func (w *writtenEntry) quoted() []byte {
	w.expect('"')
	begin := w.at
	for w.at < len(w.text) {
		switch c := w.text[w.at]; {
		case c == '"':
			w.at++
			return w.text[begin : w.at-1]
		case c == '\\':
			return w.escaped(begin)
		case c < ' ':
			w.isOther = true
			return nil
		}
		w.at++
	}
	w.isOther = true
	return nil
}

// escaped is a text that has escapes, and begins behind its quote.
func (w *writtenEntry) escaped(begin int) []byte {
	for w.at < len(w.text) && w.text[w.at] != '"' {
		if w.text[w.at] == '\\' {
			w.at++
		}
		w.at++
	}
	var text string
	if w.at >= len(w.text) || json.Unmarshal(w.text[begin-1:w.at+1], &text) != nil {
		w.isOther = true
		return nil
	}
	w.at++
	return []byte(text)
}

// string is a text that no other entry shares.
func (w *writtenEntry) string() string { return string(w.quoted()) }

// shared is a text that many entries have.
func (w *writtenEntry) shared() string { return w.texts.of(w.quoted()) }

// digits is a number without an exponent.
func (w *writtenEntry) digits() string {
	begin := w.at
	for w.at < len(w.text) && bytes.IndexByte([]byte("-.0123456789"), w.text[w.at]) >= 0 {
		w.at++
	}
	digits := w.text[begin:w.at]
	if !json.Valid(digits) {
		w.isOther = true
	}
	return string(digits)
}

func (w *writtenEntry) number() float64 {
	number, err := strconv.ParseFloat(w.digits(), 64)
	if err != nil || math.Abs(number) > reply.MaxNumber {
		w.isOther = true
	}
	return number
}

func (w *writtenEntry) integer() int64 {
	number, err := strconv.ParseInt(w.digits(), 10, 64)
	if err != nil || number > reply.MaxNumber || number < -reply.MaxNumber {
		w.isOther = true
	}
	return number
}

func (w *writtenEntry) flag() bool {
	isTrue := w.acceptText("true")
	if !isTrue && !w.acceptText("false") {
		w.isOther = true
	}
	return isTrue
}

func (w *writtenEntry) acceptText(text string) bool {
	is := bytes.HasPrefix(w.text[w.at:], []byte(text))
	if is {
		w.at += len(text)
	}
	return is
}

// list has at least one text.
func (w *writtenEntry) list() (texts []string) {
	w.expect('[')
	for !w.isOther {
		texts = append(texts, w.string())
		if !w.accept(',') {
			break
		}
	}
	w.expect(']')
	return texts
}

// stringMap has at least one text, by names that many entries have. An entry
// has it once.
func (w *writtenEntry) stringMap(before map[string]string) map[string]string {
	if before != nil {
		w.isOther = true
	}
	all := map[string]string{}
	w.object(func(name []byte) { all[w.texts.of(name)] = w.string() })
	return all
}

func (w *writtenEntry) origin(before *Origin) *Origin {
	if before != nil {
		w.isOther = true
	}
	origin := &Origin{}
	w.object(func(name []byte) {
		read := originFields[string(name)]
		if read == nil {
			w.isOther = true
			return
		}
		read(w, origin)
	})
	return origin
}

// texts has one copy of each text that many entries have.
type texts struct{ known map[string]string }

// maxTexts bounds how many texts are kept: keys of prompts may all differ.
const maxTexts = 4096

func (t *texts) of(text []byte) string {
	known, is := t.known[string(text)]
	if is {
		return known
	}
	if t.known == nil || len(t.known) >= maxTexts {
		t.known = map[string]string{}
	}
	known = string(text)
	t.known[known] = known
	return known
}
