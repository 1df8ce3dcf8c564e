// Package reply holds the results of requests: an object, read leniently, or an
// error, and its meaning. It sends nothing.
package reply

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Object is a decoded JSON object. Its methods read the plausible meaning of a
// field, and return nil if the field is missing, null or meaningless: the
// interface guarantees neither number formats nor that fields are present. A
// nil Object has no fields.
type Object map[string]any

// DecodeObject reads a reply that must be exactly one JSON object. It tolerates
// raw control characters in strings, and NaN for null.
func DecodeObject(body []byte) (Object, error) {
	fields, err := DecodeFirst(body)
	if err != nil {
		return nil, err
	}
	return fields, nil
}

// DecodeFirst is DecodeObject for a reply that may continue after the object:
// the object may be repeated, or a line of a log may follow. IsFollowed tells
// whether it does.
func DecodeFirst(body []byte) (Object, error) {
	value, err := read(body)
	if err != nil && !IsFollowed(err) {
		return nil, err
	}
	fields, ok := value.(map[string]any) // variant: extra-fields
	if !ok {
		return nil, cmp.Or(err, errors.New("the reply is not a JSON object"))
	}
	return fields, err
}

// Has reports whether one of the fields is present and not null.
func (o Object) Has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return o[name] != nil })
}

// Says reports whether any field has a value other than null, "" or an empty
// object or list.
func (o Object) Says() bool { return slices.ContainsFunc(slices.Collect(maps.Values(o)), says) }

// says reports whether a value contains anything: services write null, an empty
// text or an empty list for nothing.
func says(value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case string:
		return value != ""
	case []any:
		return len(value) > 0
	case map[string]any:
		return Object(value).Says()
	default:
		return true
	}
}

// Text returns the first of the fields that is a text, a number or a boolean.
func (o Object) Text(names ...string) *string {
	for _, name := range names {
		if text, ok := scalar(o[name]); ok {
			return &text
		}
	}
	return nil
}

// scalar returns the text of a scalar value.
func scalar(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case json.Number: // variant: times-epoch
		return value.String(), true
	case bool:
		return strconv.FormatBool(value), true
	default:
		return "", false
	}
}

// TextOfParts returns the joined texts of a list of objects, which are the
// parts of a content. Other parts, such as pictures, are left out. It is nil if
// no part has a text.
func (o Object) TextOfParts(name string) *string {
	parts, _ := o.Objects(name)
	var texts []string
	for _, part := range parts {
		if text := part.Text("text"); text != nil {
			texts = append(texts, *text)
		}
	}
	if texts == nil {
		return nil
	}
	return new(strings.Join(texts, ""))
}

// Message returns a text for people: a text, or the text in an object or list,
// or its JSON if it has no text. It is nil if the field is empty.
func (o Object) Message(name string) *string {
	if !says(o[name]) { // variant: empty-errors
		return nil
	}
	text := messageOf(o[name])
	return &text
}

// noErrors are texts that services write for a missing error: the nulls of
// their languages.
var noErrors = []string{"", "none", "null", "nil", "undefined"}

// ErrorText is the Message of a field for errors. It is nil if there is no
// error.
func (o Object) ErrorText(name string) *string {
	text := o.Message(name)
	if text == nil || slices.Contains(noErrors, strings.ToLower(strings.TrimSpace(*text))) { // variant: errors-none
		return nil
	}
	return text
}

// messageOf finds the words for a person in an error of any shape.
func messageOf(value any) string {
	if text, ok := scalar(value); ok {
		return text
	}
	if fields, ok := value.(map[string]any); ok {
		text := Object(fields).Text(
			"message", "msg", "detail", "error", "reason", "description", "title", "code", "url", "name",
		)
		if text != nil {
			return *text
		}
	}
	if list, ok := value.([]any); ok {
		var texts []string
		for _, item := range list {
			texts = append(texts, messageOf(item))
		}
		return strings.Join(texts, "; ")
	}
	return Normalise(value)
}

// Integer reads 12, 12.0, "12", "12.0" and 1e2. It truncates fractions, and
// returns nil for a number that does not fit.
func (o Object) Integer(name string) *int64 {
	whole, err := strconv.ParseInt(digits(o[name]), 10, 64)
	if number, ok := o.number(name); err != nil && ok && number > math.MinInt64 && number < math.MaxInt64 {
		whole = int64(number)
		err = nil // variant: numbers-decimal
	}
	if err != nil {
		return nil
	}
	return &whole
}

// maxDigits bounds the numbers that Whole reads.
const maxDigits = 100

// Whole reads a whole number of any size exactly, also from a text; 12.0 is a
// whole number.
func (o Object) Whole(name string) *big.Int {
	text := digits(o[name])
	whole, fraction, _ := strings.Cut(text, ".")
	if number, ok := new(
		big.Int,
	).SetString(whole, 10); ok && len(text) <= maxDigits &&
		strings.Trim(fraction, "0") == "" {
		return number
	}
	if number := o.Integer(name); number != nil {
		return big.NewInt(*number)
	}
	return nil
}

// MaxNumber bounds the numbers that Number returns. No price or rate is above
// it, and no sum becomes infinite.
const MaxNumber = 1e15

// Number reads a number of a reasonable size, also from a text.
func (o Object) Number(name string) *float64 {
	number, ok := o.number(name)
	if !ok || math.Abs(number) > MaxNumber {
		return nil
	}
	return &number
}

// TooLarge describes the fields that Number does not return because they are
// too large.
func (o Object) TooLarge(names ...string) (fields []string) {
	for _, name := range names {
		if _, ok := o.number(name); ok && o.Number(name) == nil {
			fields = append(fields, name+" "+Shown(value(o.Text(name)), MaxCode))
		}
	}
	return fields
}

// number returns any number; infinite if it is too large.
func (o Object) number(name string) (float64, bool) {
	number, err := strconv.ParseFloat(digits(o[name]), 64)
	return number, err == nil || errors.Is(err, strconv.ErrRange)
}

// digits returns the text of a number; empty for anything else, because
// ParseFloat accepts hexadecimal numbers, inf and nan.
func digits(value any) string {
	text, _ := scalar(value)
	text = strings.TrimSpace(text) // variant: numbers-text
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return ""
	}
	return text
}

// Flag reads true, "true", 1 and their opposites.
func (o Object) Flag(name string) *bool {
	text, _ := scalar(o[name]) // variant: denied-text
	flag, err := strconv.ParseBool(strings.ToLower(strings.TrimSpace(text)))
	if err != nil {
		return nil
	}
	return &flag
}

// Object returns a nested object, nil if there is none.
func (o Object) Object(name string) Object {
	fields, _ := o[name].(map[string]any) // variant: nulls-missing, nulls-many
	return fields
}

// Objects returns a list of objects. whole is false if the field is missing or
// not a list, or if an element is not an object; null is an empty list.
func (o Object) Objects(name string) (list []Object, whole bool) {
	value, present := o[name]
	if value == nil {
		return nil, present
	}
	items, whole := value.([]any)
	for _, item := range items {
		if fields, ok := item.(map[string]any); ok {
			list = append(list, fields)
		} else {
			whole = false
		}
	}
	return list, whole
}

// Texts returns the non-empty texts of a list. A single text counts as a list
// of one element, and a value that is no text is shown as JSON.
func (o Object) Texts(name string) (list []string) {
	items, ok := o[name].([]any)
	if !ok {
		items = []any{o[name]}
	}
	for _, item := range items {
		if text := (Object{name: item}).Message(name); text != nil { // variant: image-null
			list = append(list, *text)
		}
	}
	return list
}

// JSON returns a free-form field as normalised JSON.
func (o Object) JSON(name string) *string {
	if o[name] == nil {
		return nil
	}
	text := Normalise(o[name])
	return &text
}

// Normalise writes a decoded value as compact JSON with sorted keys.
func Normalise(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "null"
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Receipt says which fields of the reply to a paid request tell what was
// bought.
type Receipt struct {
	Counts []string // numbers: any above 0 means that something was bought
	// ID is the field that names a made object, in each object of the list
	// Results, or in the reply itself if Results is empty.
	Results, ID string
}

// IsCounted reports whether the reply counts anything as bought.
func (r Receipt) IsCounted(reply Object) bool {
	return slices.ContainsFunc(r.Counts, func(name string) bool { // variant: denied
		number, ok := reply.number(name)
		return ok && number > 0
	})
}

// IDs returns the ids of the made objects in the reply.
func (r Receipt) IDs(reply Object) (ids []string) {
	items := []Object{reply}
	if r.Results != "" {
		items, _ = reply.Objects(r.Results)
	}
	for _, item := range items {
		id := strings.TrimSpace(value(item.Text(r.ID))) // variant: denied-uncounted
		if id != "" && id != "0" && id != "false" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// ValueOf returns what a field of a reply says, and its zero if the field says
// nothing.
func ValueOf[T any](field *T) (said T) {
	if field != nil {
		said = *field
	}
	return said
}
