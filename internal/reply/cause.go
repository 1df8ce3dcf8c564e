package reply

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// SharedCause is a cause that many errors of a run share: an outage, a rejected
// credential, a lack of credits, a wrong address.
type SharedCause struct{ told sync.Map }

// inWords returns the cause in words: the words of the answer if there are any,
// followed by the status, the code and the notes.
func (e *Error) inWords(notes ...string) string {
	var texts []string
	for _, text := range []string{e.Proves.Lacks, e.Said.Message, e.Said.fieldText()} {
		text = strings.TrimRight(text, ". ")
		if text != "" {
			texts = append(texts, text)
		}
	}
	if e.Err != nil {
		texts = append(texts, CauseText(e.Err))
		if IsSuccess(e.Said.Status) { // the words of a success do not explain a failure
			slices.Reverse(texts)
		}
	}
	if len(texts) == 0 {
		texts = []string{cmp.Or(e.Said.By, "the service") + " answered " + statusText(e.Said.Status)}
	}
	text := strings.Join(texts, "; ")
	if e.Said.Code != "" && !strings.Contains(text, e.Said.Code) {
		notes = append([]string{e.Said.Code}, notes...)
	}
	if status := statusText(e.Said.Status); e.Said.Status != 0 && !strings.Contains(text, status) {
		notes = append([]string{status}, notes...)
	}
	notes = slices.DeleteFunc(notes, func(note string) bool { return note == "" })
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	return text
}

// fieldText returns the messages about the fields that the main message does
// not contain.
func (a *Answer) fieldText() string {
	var texts []string
	for _, field := range a.Fields {
		if text := strings.Join(field.Path, ".") + ": " + field.Message; !strings.Contains(a.Message, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "rejected: " + strings.Join(atMost(maxListed, texts), "; ")
}

// atMost lists at most the given number of texts, and says how many more there
// are.
func atMost(most int, texts []string) []string {
	if len(texts) <= most {
		return texts
	}
	return append(texts[:most:most], fmt.Sprintf("and %d more", len(texts)-most))
}

// Reason returns a text that differs between different reasons of a failure.
func (e *Error) Reason() string {
	if e.Err != nil && !e.isLimited() { // Err then only says why the request was not sent again
		return CauseText(e.Err)
	}
	return e.Said.By + statusText(e.Said.Status)
}

// Refusal returns a text that differs between different refusals with the same
// status. A blocked account and somebody else's object both give a 403, and
// only the service's words tell them apart.
func (e *Error) Refusal() string {
	return fmt.Sprintf("%s %q %q", e.Reason(), e.Said.Code, e.Said.Message)
}

// Cause says briefly why a request has finally failed.
func Cause(err error) string { return causeWithin(err, MaxExcerpt) }

// maxShortCause keeps a cause that was already given in full within three lines
// of a terminal.
const maxShortCause = 160

// ShortCause returns the beginning of a cause that was already given in full:
// enough of it to be recognized.
func ShortCause(err error) string { return causeWithin(err, maxShortCause) }

func causeWithin(err error, most int) string {
	if ErrorOf(err) == nil {
		return err.Error()
	}
	return Shown(root(err).inWords(), most)
}

// TokenProviderName is the name of the customer's own endpoint for tokens, as
// the sender of an answer.
const TokenProviderName = "the token provider"

// IsTokenProvider reports whether the token provider has failed.
func IsTokenProvider(err error) bool { return root(err).Said.By == TokenProviderName }

// Tell reports whether an error is the first with a text about its cause. An
// error without a shared cause, or of unknown effect, always is.
func Tell(err error, text string) bool {
	failure := ErrorOf(err)
	if failure == nil || failure.Proves.Shared == nil || failure.Proves.Effect == EffectUnknown {
		return true
	}
	_, told := failure.Proves.Shared.told.LoadOrStore(text, true)
	return !told
}

func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// ErrOffline is the error of each request in a run whose access token is
// transport.Offline.
var ErrOffline = errors.New("nothing is sent, since the access token is \"offline\"")

// ErrNoAnswer says that an attempt took too long.
var ErrNoAnswer = errors.New("no answer")

// CauseText describes a timeout or a cancellation. Single requests and waits
// have these in common.
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
	return Shown(err.Error(), MaxMessage)
}

// InWords says in plain words why a connection failed. The original error stays
// the cause, because its type decides what it proves.
func InWords(err error) error {
	var dns *net.DNSError
	var network net.Error
	var text string
	switch {
	case errors.As(err, &dns):
		text = fmt.Sprintf("the host %q cannot be found", dns.Name)
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, errWSARefused):
		text = "the connection was refused" + peer(err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		text = "the connection was reset" + peer(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		text = "the connection was closed before the whole answer had come"
	case errors.As(err, &network) && network.Timeout():
		text = "there was no answer in time"
	case IsUntrusted(err):
		text = "the certificate could not be verified: " + strings.TrimPrefix(
			err.Error(),
			"tls: failed to verify certificate: ",
		)
	case NeedsHTTP2(err):
		text = "the server speaks HTTP/2 alone, and every POST is sent over HTTP/1.1, which sends none twice; " +
			"nothing was sent. Let the gateway of this address accept HTTP/1.1 too"
	case strings.Contains(err.Error(), "gave HTTP response to HTTPS client"):
		text = "the server answers in http, and the address is https"
	default:
		return err
	}
	return WithText(text, err)
}

// errWSARefused is ECONNREFUSED on Windows.
const errWSARefused = syscall.Errno(10061)

// IsHostDown reports a refused connection or an unknown host.
func IsHostDown(err error) bool {
	lookup, unknown := errors.AsType[*net.DNSError](err)
	return unknown && lookup.IsNotFound || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, errWSARefused)
}

// NeedsHTTP2 reports whether the server refuses HTTP/1.1, so that nothing was
// sent. Neither the TLS alert nor the choice of a protocol that was not offered
// has an error type of its own.
func NeedsHTTP2(err error) bool {
	if err == nil {
		return false
	}
	text := firstCause(err).Error()
	return strings.Contains(text, "tls: no application protocol") ||
		strings.Contains(text, "tls: server selected unadvertised ALPN protocol")
}

// firstCause returns the innermost cause of an error, before anything put it in
// other words.
func firstCause(err error) error {
	for cause := errors.Unwrap(err); cause != nil; cause = errors.Unwrap(err) {
		err = cause
	}
	return err
}

// peer returns the address of the other end of the connection, if there was
// one.
func peer(err error) string {
	if failed, is := errors.AsType[*net.OpError](err); is && failed.Addr != nil {
		return " by " + failed.Addr.String()
	}
	return ""
}

// WithText returns an error that shows its cause in other words: without
// secrets, or in plain words.
func WithText(text string, cause error) error { return &textError{text, cause} }

// textError is an error whose own words must not be repeated.
type textError struct {
	text  string
	cause error
}

func (e *textError) Error() string { return e.text }
func (e *textError) Unwrap() error { return e.cause }
