package reply

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// SharedCause is a cause that many errors of a run have in common: an outage, a
// credential that is rejected, a lack of credits, a wrong address.
type SharedCause struct{ told sync.Map }

// inWords is the cause in words, those of who answered where there are any, and after
// it the status, the code and the notes.
func (e *Error) inWords(notes ...string) string {
	var texts []string
	for _, text := range []string{e.Lacks, e.Message, e.fieldText()} {
		if text = strings.TrimRight(text, ". "); text != "" {
			texts = append(texts, text)
		}
	}
	if e.Err != nil {
		texts = append(texts, CauseText(e.Err))
		if IsSuccess(e.Status) { // what it says is not why
			slices.Reverse(texts)
		}
	}
	if len(texts) == 0 {
		texts = []string{cmp.Or(e.By, "the service") + " answered " + statusText(e.Status)}
	}
	text := strings.Join(texts, "; ")
	if e.Code != "" && !strings.Contains(text, e.Code) {
		notes = append([]string{e.Code}, notes...)
	}
	if status := statusText(e.Status); e.Status != 0 && !strings.Contains(text, status) {
		notes = append([]string{status}, notes...)
	}
	if notes = slices.DeleteFunc(notes, func(note string) bool { return note == "" }); len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	return text
}

// fieldText is what is said of the fields, as far as the message does not.
func (e *Error) fieldText() string {
	var texts []string
	for _, field := range e.Fields {
		if text := strings.Join(field.Path, ".") + ": " + field.Message; !strings.Contains(e.Message, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "rejected: " + strings.Join(atMost(maxListed, texts), "; ")
}

// efforts says where the request was sent, how often, and for how long.
func (e *Error) efforts() string {
	if e.Attempts == 1 {
		return "sent once, to " + e.Address
	}
	return fmt.Sprintf("sent %d times within %s, to %s", e.Attempts, e.Took.Round(time.Second/10), e.Address)
}

// atMost lists so many texts, and how many there are besides.
func atMost(most int, texts []string) []string {
	if len(texts) <= most {
		return texts
	}
	return append(texts[:most:most], fmt.Sprintf("and %d more", len(texts)-most))
}

// Reason tells why a request has failed from other reasons.
func (e *Error) Reason() string {
	if e.Err != nil && e.Status != http.StatusTooManyRequests { // it only says why it was not sent again
		return CauseText(e.Err)
	}
	return e.By + statusText(e.Status)
}

// Cause is briefly why a request has failed in the end.
func Cause(err error) string {
	if ErrorOf(err) == nil {
		return err.Error()
	}
	return Sanitize(root(err).inWords(), MaxExcerpt)
}

// TheTokenProvider is who answers requests for a token to the customer's own endpoint.
const TheTokenProvider = "the token provider"

// IsTokenProvider reports whether it is the token provider that has failed, and not the
// service.
func IsTokenProvider(err error) bool { return root(err).By == TheTokenProvider }

// Tell reports whether an error is the first to tell a text about its cause. Alone
// or of unknown outcome, it tells all.
func Tell(err error, text string) bool {
	failure := ErrorOf(err)
	if failure == nil || failure.Shared == nil || failure.Effect == EffectUnknown {
		return true
	}
	_, told := failure.Shared.told.LoadOrStore(text, true)
	return !told
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// ErrNoAnswer is why an attempt ended that took too long.
var ErrNoAnswer = errors.New("no answer")

// CauseText describes a timeout or a cancellation, which single requests share
// with waits.
func CauseText(err error) string {
	if timeout, is := errors.AsType[*wait.TimeoutError](err); is {
		text := "the operation's time ran out before the request could be sent again"
		if errors.Is(timeout, ErrNoAnswer) {
			text = "no answer before the operation's time ran out"
		}
		if timeout.Setting != "" {
			text += fmt.Sprintf(" (%s sets the time)", timeout.Setting)
		}
		return text
	}
	if wait.IsCanceled(err) {
		return "the operation was interrupted"
	}
	return Sanitize(err.Error(), MaxMessage)
}
