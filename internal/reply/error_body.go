package reply

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// What an error shows at most, in characters, and of a list.
const (
	MaxMessage = 1000
	MaxExcerpt = 300 // of any other body
	MaxCode    = 100 // of what should be short
	maxListed  = 10
)

// Read extracts what an error body says, in any shape: the interface documents
// one, gateways use others. ids are the fields that hold ids.
func (e *Error) Read(redact func(string) string, contentType string, content []byte, ids []string) {
	value, err := decodeValue(content)
	body, isObject := value.(map[string]any)
	switch {
	case err != nil || IsSuccess(e.Status): // variant: errors-text
		e.Message = excerpt(redact(string(content)), contentType)
	case isObject:
		e.Describe(redact, body, ids)
	case value != nil:
		e.Message = Shown(redact(wordingOf(value)), MaxMessage)
	}
	if e.Status == http.StatusNotFound || e.Status == http.StatusGone {
		e.NotFound = NotFoundUnproven
		if text, is := body["error"].(string); is && strings.TrimSpace(text) != "" {
			e.NotFound = NotFoundProven
		}
	}
	e.describeForm(redact, contentType, content)
}

// ReadToken is Read for what may hold a token: it shows the error and message
// alone, if harmless.
func (e *Error) ReadToken(harmless func(string) string, contentType string, content []byte) {
	body, _ := DecodeObject(content)
	e.Describe(harmless, Object{"error": body["error"], "message": body["message"]}, nil)
	e.describeForm(harmless, contentType, content)
}

// IsSuccess reports whether a status is a 2xx.
func IsSuccess(status int) bool { return status >= 200 && status < 300 } // variant: code-202

// Describe reads a JSON error: {error, message} and the ids, {error: {code,
// message}}, {message}, {detail: "text"} and {detail: [{loc, msg}]}.
func (e *Error) Describe(redact func(string) string, body Object, ids []string) {
	if nested := body.Object("error"); nested != nil { // variant: errors-nested
		e.Code = value(nested.Text("code", "type", "status"))
		e.Message = wordingOf(map[string]any(nested))
	} else {
		e.Code = value(body.Wording("error"))
	}
	e.describeFields(redact, body) // variant: errors-list
	for _, name := range []string{"message", "detail", "errors", "title", "error_description"} {
		if e.Message == "" && (name != "detail" || len(e.Fields) == 0) {
			e.Message = value(body.Wording(name)) // variant: errors-message, errors-detail
		}
	}
	if e.Code == "" {
		e.Code = value(body.Text("code"))
	}
	if e.Code == "" && e.Message == "" && len(e.Fields) == 0 && body.Says() {
		e.Message = Normalise(map[string]any(body))
	}
	if e.Message == "" && strings.ContainsRune(e.Code, ' ') { // a sentence is not a code
		e.Message = e.Code
		e.Code = ""
	}
	e.Code = Shown(redact(e.Code), MaxCode)
	e.Message = Shown(redact(e.Message), MaxMessage)
	e.name(redact, body, ids)
}

// name shows the fields that hold ids.
func (e *Error) name(redact func(string) string, body Object, ids []string) {
	named := map[string]string{}
	for _, name := range ids {
		if id := Shown(redact(value(body.Text(name))), MaxExcerpt); id != "" {
			named[name] = id
		}
	}
	if len(named) > 0 {
		e.Named = named
	}
}

// Salvage shows what can be read of the reply to a paid request that is cut off
// or broken.
func (e *Error) Salvage(redact func(string) string, content []byte, receipt Receipt, ids []string) {
	e.Arrived = Salvage(content)
	e.name(redact, e.Arrived, ids)
	e.Quote(redact, receipt.IDs(e.Arrived))
	for _, name := range receipt.Counts {
		if number := e.Arrived.Number(name); number != nil {
			e.Counts = append(e.Counts, name+" "+Shown(value(e.Arrived.Text(name)), MaxCode))
		}
	}
}

// Quote shows the ids of what may have been made.
func (e *Error) Quote(redact func(string) string, ids []string) {
	for _, id := range ids {
		e.IDs = append(e.IDs, Shown(redact(id), MaxExcerpt))
	}
}

// describeFields reads the fields that a validation blames.
func (e *Error) describeFields(redact func(string) string, body Object) {
	details, _ := body.Objects("detail")
	for _, detail := range details {
		field := FieldError{Message: Shown(redact(value(detail.Text("msg", "message"))), MaxExcerpt)}
		for _, step := range detail.Texts("loc") {
			field.Path = append(field.Path, Shown(redact(step), MaxCode))
		}
		if len(field.Path) > 0 {
			e.Fields = append(e.Fields, field)
		}
	}
}

// mediaTypes matches those that can hide nothing.
var mediaTypes = regexp.MustCompile(`^(?:application|text)/(?:[a-z]{1,10}\+)?[a-z]{1,10}\b`)

// describeForm says how a reply looks that has no readable text. show removes
// secrets.
func (e *Error) describeForm(show func(string) string, contentType string, content []byte) {
	switch {
	case e.Code != "" || e.Message != "" || len(e.Fields) > 0:
		return
	case len(content) == 0:
		e.Form = "an empty reply"
		return
	}
	e.Form = fmt.Sprintf("%s, %d bytes", cmp.Or(mediaTypes.FindString(contentType), "no known type"), len(content))
	body, _ := DecodeObject(content)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(body)) {
		names = append(names, Shown(show(name), MaxCode))
	}
	if len(names) > 0 {
		e.Form += ", its keys are: " + Shown(strings.Join(slices.Compact(names), ", "), MaxExcerpt)
	}
}

var (
	htmlHidden = regexp.MustCompile(`(?is)<!--.*?-->|<(script|style)\b.*?</(script|style)\s*>`)
	htmlTag    = regexp.MustCompile(`(?s)<[^>]*>`)
)

// excerpt is the readable text of a body that is not JSON.
func excerpt(content, contentType string) string {
	text := strings.TrimPrefix(content, byteOrderMark)
	if strings.Contains(strings.ToLower(contentType), "html") ||
		strings.HasPrefix(strings.TrimSpace(text), "<") { // variant: errors-html
		text = html.UnescapeString(htmlTag.ReplaceAllString(htmlHidden.ReplaceAllString(text, " "), " "))
	}
	return Shown(text, MaxExcerpt)
}
