package transport

import (
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Answers of the token routes are not quoted: whatever their shape, the live
// token may stand in them, and what is not known yet cannot be redacted.

var (
	errNotToken   = errors.New("the reply is neither a JSON object nor a JWT")
	errNoToken    = errors.New("the reply has no accessToken")
	errNoSuccess  = errors.New("the reply says that there is no token")
	errUnquotable = errors.New("the reply cannot be read as HTTP; it is not shown, since it may hold a token")
)

// receiveToken judges an answer of a token route. The reply is then the token
// alone.
func (s *sender) receiveToken(response *http.Response, content []byte, limit int64, err error, now *attempt) {
	failure := s.answer(response)
	failure.Message = s.quote(response, content, limit)
	now.err, now.outcome = failure, refused
	switch {
	case isRedirect(response.StatusCode):
		failure.Err = errNotFollowed
	case !isSuccess(response.StatusCode):
		now.outcome = outcomeOf(response.StatusCode)
	case int64(len(content)) > limit:
		failure.Err = errTooLarge
	case err != nil:
		now.outcome, failure.Err = cutOff, unquoted(err)
	default:
		text, err := readToken(content)
		if failure.Err = err; err == nil {
			now.outcome, now.err, now.reply = succeeded, nil, Object{"accessToken": text}
		}
	}
}

// quote is what may be shown of an answer: what it says for people, its type
// and size, and the names of its fields.
func (s *sender) quote(response *http.Response, content []byte, limit int64) string {
	size := fmt.Sprintf("%d bytes", len(content))
	if int64(len(content)) > limit {
		size = fmt.Sprintf("more than %d bytes", limit)
	}
	shape := mediaType(response.Header.Get("Content-Type")) + ", " + size
	reply, _ := DecodeObject(content)
	if len(reply) == 0 {
		return shape
	}
	redact := s.client.secrets.redact
	said := []string{}
	for _, name := range []string{"error", "message"} {
		text := reply.Text(name)
		if text == nil {
			text = reply.Object(name).Text("message", "code")
		}
		if text != nil && *text != "" {
			said = append(said, harmless(redact(*text), "(its "+name+" is not shown, since it may hold a token)", maxExcerpt))
		}
	}
	names := []string{}
	for name := range reply {
		names = append(names, harmless(redact(name), "(one that may hold a token)", maxCode))
	}
	slices.Sort(names)
	said = append(said, shape+", its keys are: "+Sanitize(strings.Join(slices.Compact(names), ", "), maxExcerpt))
	return strings.Join(said, "; ")
}

func harmless(text, otherwise string, limit int) string {
	if mayBeToken(text) {
		return otherwise
	}
	return Sanitize(text, limit)
}

const (
	// minRun is the length from which an unbroken run of characters may be a
	// token, if it is no word; with digits in it, minCoded.
	minRun   = 12
	minCoded = 8
)

var (
	runs = regexp.MustCompile(`[!#-&*-+\--:=?-Z\\^-z|~]+`)
	// words are plain ones, and names in the usual notations.
	words = regexp.MustCompile(`^(?:[A-Z]?[a-z]{1,15}|[A-Z]{1,15}|[a-z]{1,14}(?:_[a-z]{1,14}){1,4}|[A-Z]{1,14}(?:_[A-Z]{1,14}){1,4}|[a-z]{2,14}(?:[A-Z][a-z]{1,14}){1,4})$`)
	types = regexp.MustCompile(`^(?:application|text|image|multipart)/[a-z]{1,12}(?:[.+-][a-z]{1,12}){0,3}$`)
)

// mayBeToken reports that a text has an unbroken run that is no word.
func mayBeToken(text string) bool {
	for _, run := range runs.FindAllString(text, -1) {
		run = strings.Trim(run, ".:!?")
		coded := strings.ContainsAny(run, "0123456789")
		if len(run) >= minRun && !words.MatchString(run) || coded && len(run) >= minCoded {
			return true
		}
	}
	return false
}

func mediaType(header string) string {
	kind, _, err := mime.ParseMediaType(header)
	switch {
	case header == "":
		return "no content type"
	case err != nil || !types.MatchString(kind):
		return "an unusual content type"
	default:
		return kind
	}
}

// unquoted is the error without what it may quote of an answer, as those of
// HTTP's syntax do.
func unquoted(err error) error {
	_, network := errors.AsType[*net.OpError](err)
	_, name := errors.AsType[*net.DNSError](err)
	if network || name || IsUntrusted(err) || !mayBeToken(err.Error()) {
		return err
	}
	return &redactedError{text: errUnquotable.Error(), cause: err}
}

// readToken finds the token of a reply: an object that holds it, or the bare
// JWT, also in quotation marks.
func readToken(content []byte) (string, error) {
	reply, err := DecodeObject(content)
	if err != nil {
		bare := strings.Trim(strings.TrimPrefix(string(content), "\ufeff"), " \t\r\n\"")
		if !isJWT(bare) {
			return "", errNotToken
		}
		return bare, nil
	}
	if success := reply.Flag("success"); success != nil && !*success {
		return "", errNoSuccess
	}
	return tokenOf(reply)
}

// isJWT reports that a text has the form of a JWT, whatever its algorithm.
func isJWT(text string) bool {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return false
	}
	for _, part := range parts {
		if _, err := base64.RawURLEncoding.DecodeString(part); part == "" || err != nil {
			return false
		}
	}
	header, _ := base64.RawURLEncoding.DecodeString(parts[0])
	_, err := DecodeObject(header)
	return err == nil
}
