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

// The longest parts of an error that are shown, in characters.
const (
	MaxMessage = 1000
	MaxExcerpt = 300 // of a body in any other form
	MaxCode    = 100 // of texts that should be short
	maxListed  = 10
)

// Read extracts the statements of an error body of any shape: the interface
// documents one shape, gateways use others. ids are the fields with ids.
func (e *Error) Read(redact func(string) string, contentType string, content []byte, ids []string) {
	value, err := read(content)
	if err != nil {
		value = nil
	}
	body, isObject := value.(map[string]any)
	switch {
	case err != nil || IsSuccess(e.Said.Status): // variant: errors-text
		e.Said.Message = excerpt(redact(string(content)), contentType)
	case isObject:
		e.Said.Describe(redact, body, ids)
	case value != nil:
		e.Said.Message = Shown(redact(messageOf(value)), MaxMessage)
	}
	if e.Said.Status == http.StatusNotFound || e.Said.Status == http.StatusGone {
		e.Proves.NotFound = NotFoundUnproven
		if text, is := body["error"].(string); is && strings.TrimSpace(text) != "" {
			e.Proves.NotFound = NotFoundProven
		}
	}
	e.Said.describeForm(redact, contentType, content)
}

// ReadToken is Read for a body that may contain a token. It shows only the
// error and the message, if they are harmless.
func (a *Answer) ReadToken(harmless func(string) string, contentType string, content []byte) {
	body, _ := DecodeObject(content)
	a.Describe(harmless, Object{"error": body["error"], "message": body["message"]}, nil)
	a.describeForm(harmless, contentType, content)
}

// IsSuccess reports whether a status is a 2xx.
func IsSuccess(status int) bool { return status >= 200 && status < 300 } // variant: code-202

// Describe reads a JSON error: {error, message} and the ids, {error: {code,
// message}}, {message}, {detail: "text"} and {detail: [{loc, msg}]}.
func (a *Answer) Describe(redact func(string) string, body Object, ids []string) {
	if nested := body.Object("error"); nested != nil { // variant: errors-nested
		a.Code = value(nested.Text("code", "type", "status"))
		a.Message = messageOf(map[string]any(nested))
	} else {
		a.Code = value(body.Message("error"))
	}
	a.describeFields(redact, body) // variant: errors-list
	for _, name := range []string{"message", "detail", "errors", "title", "error_description"} {
		if a.Message == "" && (name != "detail" || len(a.Fields) == 0) {
			a.Message = value(body.Message(name)) // variant: errors-message, errors-detail
		}
	}
	if a.Code == "" {
		a.Code = value(body.Text("code"))
	}
	if a.Code == "" && a.Message == "" && len(a.Fields) == 0 && body.Says() {
		a.Message = Normalise(map[string]any(body))
	}
	if a.Message == "" && strings.ContainsRune(a.Code, ' ') { // a sentence is not a code
		a.Message = a.Code
		a.Code = ""
	}
	a.Code = Shown(redact(a.Code), MaxCode)
	a.Message = Shown(redact(a.Message), MaxMessage)
	a.name(redact, body, ids)
}

// name notes the values of the fields with ids.
func (a *Answer) name(redact func(string) string, body Object, ids []string) {
	named := map[string]string{}
	for _, name := range ids {
		if id := Shown(redact(value(body.Text(name))), MaxExcerpt); id != "" {
			named[name] = id
		}
	}
	if len(named) > 0 {
		a.Named = named
	}
}

// Salvage notes the readable part of the reply to a paid request that is cut
// off or broken.
func (a *Answer) Salvage(redact func(string) string, arrived Object, receipt Receipt, ids []string) {
	a.Arrived = arrived
	a.name(redact, a.Arrived, ids)
	a.Quote(redact, receipt.IDs(a.Arrived))
	for _, name := range receipt.Counts {
		if number := a.Arrived.Number(name); number != nil {
			a.Counts = append(a.Counts, name+" "+Shown(value(a.Arrived.Text(name)), MaxCode))
		}
	}
}

// Quote notes the ids of objects that may have been made.
func (a *Answer) Quote(redact func(string) string, ids []string) {
	for _, id := range ids {
		a.IDs = append(a.IDs, Shown(redact(id), MaxExcerpt))
	}
}

// describeFields reads the fields that a validation error blames.
func (a *Answer) describeFields(redact func(string) string, body Object) {
	details, _ := body.Objects("detail")
	for _, detail := range details {
		field := FieldError{Message: Shown(redact(value(detail.Text("msg", "message"))), MaxExcerpt)}
		for _, step := range detail.Texts("loc") {
			field.Path = append(field.Path, Shown(redact(step), MaxCode))
		}
		if len(field.Path) > 0 {
			a.Fields = append(a.Fields, field)
		}
	}
}

// mediaTypes matches media types that cannot hide a secret.
var mediaTypes = regexp.MustCompile(`^(?:application|text)/(?:[a-z]{1,10}\+)?[a-z]{1,10}\b`)

// describeForm describes a reply without a readable text. show removes secrets.
func (a *Answer) describeForm(show func(string) string, contentType string, content []byte) {
	switch {
	case a.Code != "" || a.Message != "" || len(a.Fields) > 0:
		return
	case len(content) == 0:
		a.Form = "an empty reply"
		return
	}
	a.Form = fmt.Sprintf("%s, %d bytes", cmp.Or(mediaTypes.FindString(contentType), "no known type"), len(content))
	body, _ := DecodeObject(content)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(body)) {
		names = append(names, Shown(show(name), MaxCode))
	}
	if len(names) > 0 {
		a.Form += ", its keys are: " + Shown(strings.Join(slices.Compact(names), ", "), MaxExcerpt)
	}
}

var (
	htmlHidden = regexp.MustCompile(`(?is)<!--.*?-->|<(script|style)\b.*?</(script|style)\s*>`)
	htmlTag    = regexp.MustCompile(`(?s)<[^>]*>`)
)

// excerpt returns the readable text of a body that is not JSON.
func excerpt(content, contentType string) string {
	text := strings.TrimPrefix(content, byteOrderMark)
	if strings.Contains(strings.ToLower(contentType), "html") ||
		strings.HasPrefix(strings.TrimSpace(text), "<") { // variant: errors-html
		text = html.UnescapeString(htmlTag.ReplaceAllString(htmlHidden.ReplaceAllString(text, " "), " "))
	}
	return Shown(text, MaxExcerpt)
}
