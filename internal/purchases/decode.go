package purchases

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// decoded says how much of a line was read.
type decoded struct {
	size int // of the whole objects at the beginning, and of the blanks between them
	// reason says why one of these objects is no entry, and rest why the text
	// after them is not the beginning of an entry. Both are empty otherwise.
	reason, rest string
}

// decode finds the entries in the bytes of a line, and decides whether
// everything else may be ignored.
//
//	white space, byte order marks    ignored
//	an entry, or several in a row    read
//	the beginning of an object       ignored: a kill or a full disk has torn the line
//	all else                         unreadable: it may be about a purchase
//
// A log of 100,000 purchases has some 200 MiB, for which encoding/json takes
// seconds. Its successor reads an entry in a fourth of that time, if the entry
// has the form that Log writes.
//
// It calls take with each entry of a line, which has no line feed.
func decode(line []byte, take func(*Entry)) (found decoded) {
	for {
		blank := blankPrefix(line[found.size:])
		at := line[found.size+blank:]
		if len(at) == 0 {
			found.size += blank
			return found
		}
		entry, size, reason := decodeObject(at)
		switch {
		case size == 0:
			found.rest = reason
			return found
		case reason == "":
			take(entry)
		case found.reason == "":
			found.reason = reason
		}
		found.size += blank + size
	}
}

const byteOrderMark = "\ufeff"

// blankPrefix returns the size of the white space at the beginning of a text. A
// byte order mark counts as white space, because files that begin with it may
// have been joined.
func blankPrefix(text []byte) (size int) {
	for size < len(text) {
		switch {
		case bytes.IndexByte([]byte(" \t\r\n"), text[size]) >= 0:
			size++
		case bytes.HasPrefix(text[size:], []byte(byteOrderMark)):
			size += len(byteOrderMark)
		default:
			return size
		}
	}
	return size
}

// beginning is the beginning of each line that Log writes. It occurs nowhere
// else in a line.
const beginning = `{"time":"`

// decodeObject reads the object at the beginning of a text. reason says why the
// object is no entry. If there is no whole object, the size is 0; the reason is
// then empty if the object has only begun.
func decodeObject(text []byte) (entry *Entry, size int, reason string) {
	entry = &Entry{}
	if text[0] == '{' && jsonv2.Unmarshal(text, entry) == nil {
		size = len(text)
		entry.boundNumbers()
	} else {
		var object json.RawMessage
		err := json.NewDecoder(bytes.NewReader(text)).Decode(&object)
		isObject := text[0] == '{'
		isTorn := isObject && errors.Is(err, io.ErrUnexpectedEOF)
		switch {
		case isTorn && bytes.Contains(text[1:], []byte(beginning)):
			return nil, 0, notAnEntry // the torn-off part may look like a part of the object
		case isTorn:
			return nil, 0, ""
		case !isObject || err != nil:
			return nil, 0, reasonOf(text)
		}
		size = len(object)
		entry, reason = decodeAny(object)
	}
	switch {
	case !utf8.Valid(text[:size]):
		return nil, size, notUTF8
	case reason != "":
		return nil, size, reason
	default:
		roundCredits(&entry.Receipt)
		return entry, size, whyNoEntry(entry)
	}
}

// reasonOf describes bytes that are not JSON.
func reasonOf(text []byte) string {
	isUTF16 := bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
	switch {
	case isUTF16:
		return inUTF16
	case bytes.HasPrefix(text, []byte("\x1f\x8b")):
		return compressed
	case text[0] == '[':
		return inArray
	case bytes.IndexByte(text, 0) >= 0:
		return hasZeros
	case !utf8.Valid(text):
		return notUTF8
	default:
		return notAnEntry
	}
}

// whyNoEntry says which part of an entry an object lacks, or which build can
// read it. Entries of earlier builds have no version.
func whyNoEntry(entry *Entry) string {
	isOurs := entry.Version == version && entry.Outcome == outcomeSending
	switch {
	case entry.Version > version:
		return ofLaterVersion
	case entry.Type == "" || entry.Outcome == "":
		return notAnEntry
	case isOurs && (entry.By == nil || entry.Request == ""):
		return notAnEntry
	default:
		return ""
	}
}

// decodeAny reads an object that another program has written or rewritten.
// Numbers that are unreasonably large become null, because a sum with them has
// no meaning.
func decodeAny(object []byte) (entry *Entry, reason string) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(object, &fields)
	if err != nil {
		return nil, notAnEntry
	}
	for name, value := range fields {
		number, isNumber := numberOf(value)
		switch {
		case !isNumber:
		case strings.EqualFold(name, "version") && number > version:
			return nil, ofLaterVersion
		default:
			fields[name] = withinReason(number)
		}
	}
	object, _ = json.Marshal(fields) // the fields were JSON before
	entry = &Entry{}
	err = json.Unmarshal(object, entry)
	if err != nil {
		return nil, notAnEntry
	}
	return entry, ""
}

// numberOf returns a value as a number; infinite if the value is too large.
func numberOf(value json.RawMessage) (number float64, isNumber bool) {
	if strings.IndexByte("-0123456789", value[0]) < 0 {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(value), 64)
	return number, err == nil || errors.Is(err, strconv.ErrRange)
}

// withinReason writes a number, or null if no price, count or status is so
// large.
func withinReason(number float64) json.RawMessage {
	if math.Abs(number) > reply.MaxNumber {
		return json.RawMessage("null")
	}
	return json.RawMessage(strconv.FormatFloat(number, 'f', -1, 64))
}

// boundNumbers makes unreasonably large numbers null, like decodeAny.
func (e *Entry) boundNumbers() {
	for _, number := range []**float64{&e.EstimatedTime, &e.CreditsDeducted, &e.RemainingBalance} {
		if *number != nil && math.Abs(**number) > reply.MaxNumber {
			*number = nil
		}
	}
	counts := []**int64{
		&e.TotalRequested,
		&e.SuccessfulSubmissions,
		&e.FailedSubmissions,
		&e.TrainingSteps,
		&e.TotalImages,
	}
	for _, count := range counts {
		if *count != nil && math.Abs(float64(**count)) > reply.MaxNumber {
			*count = nil
		}
	}
}
